package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is counted, linked and compiled of a document. */
@Tag("pure")
final class MarkdownTest {
    private static final Markdown PAGE = new Markdown("""
            # The *first* `Heading`, and more

            Three words, [a link](other.md#there), `code` - and `[none](here)`.

            | table | words |
            |---|---|
            | do not | [count](table.md) |

            ## Again

            ```java
            do.not(count); // [no](link.md)
            ```

            ## Again

            ![picture](drawn.svg)

            ```java spring
            @Service
            ```
            """);

    /** Prose and headings count, and the text of a link or picture; a dash does not. */
    @Test
    void words_areThoseOfProse() {
        assertThat(PAGE.words()).isEqualTo(5 + 2 + 2 + 1 + 1 + 1 + 1 + 1 + 1);
    }

    /** Targets are those of links, also in tables, and not those in code. */
    @Test
    void targets_areThoseOfLinks() {
        assertThat(PAGE.targets()).containsExactly("other.md#there", "table.md", "drawn.svg");
    }

    /** A heading that comes twice has two anchors. */
    @Test
    void anchors_areThoseOfHeadings() {
        assertThat(PAGE.anchors()).containsExactlyInAnyOrder("the-first-heading-and-more", "again", "again-1");
    }

    /** A sample says for which module it is. */
    @Test
    void samples_haveAModule() {
        assertThat(PAGE.samples())
                .containsExactly(
                        new Markdown.Sample("", "do.not(count); // [no](link.md)\n"),
                        new Markdown.Sample("spring", "@Service\n"));
    }
}
