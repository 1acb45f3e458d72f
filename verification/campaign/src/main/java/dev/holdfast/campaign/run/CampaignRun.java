package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.worker.Worker;
import dev.holdfast.testkit.EarlierBuild;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** One run of the campaign, with all of its processes. Nothing that it starts outlives it. */
public final class CampaignRun {
    private final Options options;
    private final Consumer<String> out;
    private final Path directory;
    private final Series series;
    private final String classPath;
    /** Without an earlier build, no client has it. */
    private final String earlierClassPath;

    /**
     * @param out receives the progress, as text for the user
     * @throws IllegalArgumentException if the directory of the earlier build lacks one of its jars; no file was changed
     *     then
     */
    public CampaignRun(Options options, Consumer<String> out) {
        this(options, out, System.getProperty("java.class.path"));
    }

    /** With the class path of the present build. */
    CampaignRun(Options options, Consumer<String> out, String classPath) {
        this.classPath = classPath;
        this.options = options;
        this.out = out;
        this.earlierClassPath = options.before().map(EarlierBuild::classPath).orElse("");
        this.directory = Directories.emptied(options.directory().resolve("seed-" + options.seed()));
        this.series = new Series(options, directory, out);
    }

    /**
     * Plays all rounds. Called once.
     *
     * @throws IllegalArgumentException if the report is to be published and the file has no place for it; no round was
     *     played then
     */
    public Ending run() throws InterruptedException {
        out.accept("seed " + options.seed() + ", on " + RedisBinary.byDefault());
        try (RedisServer resource = RedisServer.builder().start()) {
            Optional<Publication> publication =
                    options.publish().map(file -> Publication.in(file, resource.version(), options.only()));
            WorkersLog log = new WorkersLog(directory.resolve("workers.log"));
            try (Crew present = crew(classPath, resource, log);
                    Crew earlier = crew(earlierClassPath, resource, log)) {
                Game game = (plan, place, progress) -> {
                    resource.command("FLUSHALL");
                    return new RoundRun(
                                    plan,
                                    library -> library == Library.HOLDFAST_BEFORE ? earlier : present,
                                    log,
                                    place,
                                    progress)
                            .run();
                };
                return series.play(game, "Redis " + resource.version(), publication);
            }
        }
    }

    private static Crew crew(String classPath, RedisServer resource, WorkersLog log) {
        return new Crew(() -> Worker.start(classPath, resource.uri(), log.file()));
    }

    /** {@return the figures of the rounds so far} */
    Tally tally() {
        return series.tally();
    }
}
