#!/usr/bin/env bash
# Builds and runs applications that use the published modules as the documents say, from POMs that know nothing of this build:
#   verification/consumers/run.sh
# JAVA_HOMES        homes of Java, separated by colons. Default: the first one that is found, and a JDK 25 in /usr/lib/jvm
# BOOT_VERSIONS     versions of Spring Boot, separated by colons. Default: 4.1.0:4.0.9
# KOTLIN_VERSIONS   versions of Kotlin, each with that of kotlinx.coroutines, separated by colons. Default: those that Spring Boot
#                   4.0 and 4.1 manage, and the current one
# MAVEN_REPOSITORY  where Maven keeps what it downloads. Default: ~/.m2/repository
# The modules are installed into a repository of this run, which has links to that one for all else.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")"
consumers=$PWD
repository=$consumers/target/repository
downloads=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
boots=${BOOT_VERSIONS:-4.1.0:4.0.9}
kotlins=${KOTLIN_VERSIONS:-2.2.21/1.10.2:2.3.21/1.10.2:2.4.21/1.11.0}
javas=${JAVA_HOMES:-}
if [ -z "$javas" ]; then
  javas=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
  for jdk in /usr/lib/jvm/*25*; do
    if [ -x "$jdk/bin/java" ] && [ "$jdk" != "$javas" ]; then
      javas=$javas:$jdk
      break
    fi
  done
fi

rm -rf "$repository/dev/holdfast"
mkdir -p "$repository/dev" "$downloads"/{com,dev,io,net,org}
for directory in "$downloads"/*/ "$downloads"/dev/*/; do
  name=${directory#"$downloads/"}
  name=${name%/}
  case $name in
    dev | dev/holdfast) ;;
    *) [ -e "$repository/$name" ] || ln -s "$downloads/$name" "$repository/$name" ;;
  esac
done

maven() {
  mvn -B -ntp -q -Dmaven.repo.local="$repository" "$@"
}
(cd ../.. && maven install -Dmaven.test.skip -Dspotless.check.skip -am \
  -pl bom,guards/redis,guards/jdbc,testkit/junit,integrations/micrometer,integrations/shedlock,integrations/kotlin,integrations/spring-boot-starter)
on_kotlin() { # the versions of Kotlin and of kotlinx.coroutines, options
  maven test -Dkotlin.version="${1%/*}" -Dkotlinx-coroutines.version="${1#*/}" "${@:2}"
}
on_kotlin "${kotlins%%:*}" -Dspring-boot.version="${boots%%:*}"
for boot in $(tr : ' ' <<<"${boots#"${boots%%:*}"}"); do
  maven test -Dspring-boot.version="$boot" -pl starter,starter-kotlin,starter-data-redis,starter-all
done
for kotlin in $(tr : ' ' <<<"${kotlins#"${kotlins%%:*}"}"); do
  on_kotlin "$kotlin" -pl kotlin
done
java -cp "driver/target/classes:$(cat driver/target/class-path)" dev.holdfast.consumers.Driver "$consumers" "$javas" "$boots" "$kotlins"
