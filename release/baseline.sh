#!/usr/bin/env bash
# Builds the jars of the last release before the current version, and prints their directory; prints nothing if there is none.
#   mvn verify -Dapi.baseline="$(release/baseline.sh)"
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n '0,/<version>/s|.*<version>\(.*\)</version>.*|\1|p' pom.xml)
version=v${version%-SNAPSHOT}
last=$({ git tag --list 'v[0-9]*'; echo "$version"; } | sort -uV | sed "/^$version\$/Q" | tail -1)
if [ -z "$last" ]; then
  exit 0
fi

jars=$PWD/release/target/baseline/${last#v}
if [ ! -e "$jars/complete" ]; then
  source=$PWD/release/target/source
  rm -rf "$jars" "$source"
  mkdir -p "$jars" "$source"
  git archive "$last" | tar -x -C "$source"
  (cd "$source" && mvn -B -ntp -q package -Dmaven.test.skip -Dmaven.javadoc.skip -Dmaven.source.skip) >&2
  # Named after the artifact alone, so that they are found under any version.
  find "$source" -regex '.*/target/holdfast-[^/]*\.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar' | while read -r jar; do
    artifact=$(basename "$jar" .jar)
    cp "$jar" "$jars/$(sed -E 's|-[0-9]+\.[0-9]+\.[0-9]+.*||' <<<"$artifact").jar"
  done
  rm -rf "$source"
  touch "$jars/complete"
fi

# What the last release did not have is compared with nothing.
nothing=$PWD/release/target/nothing
mkdir -p "$nothing"
git ls-files '*/pom.xml' | xargs sed -n 's|^  <artifactId>\(.*\)</artifactId>$|\1|p' | while read -r artifact; do
  if [ ! -e "$jars/$artifact.jar" ]; then
    "${JAVA_HOME:+$JAVA_HOME/bin/}jar" --create --file "$jars/$artifact.jar" -C "$nothing" .
  fi
done
echo "$jars"
