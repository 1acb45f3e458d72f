#!/usr/bin/env bash
# Builds the bundle of the release that is checked out, checks it, and builds everything a second time, in another directory,
# to compare it with the first.
#   release/bundle.sh           leaves the bundle in release/target/bundle
#   release/bundle.sh --upload  also uploads it, for a maintainer to publish once it was validated
# The key that signs is read from MAVEN_GPG_KEY, its passphrase, if it has one, from MAVEN_GPG_PASSPHRASE.
set -euo pipefail
cd "$(dirname "$0")/.."
# Jars record the permissions of their files.
umask 022

options=()
case ${1-} in
  --upload) ;;
  "") options+=(-DskipUpload) ;;
  *)
    echo "usage: release/bundle.sh [--upload]" >&2
    exit 2
    ;;
esac
: "${MAVEN_GPG_KEY:?the key that signs, as text}"

baseline=$(release/baseline.sh)
if [ -n "$baseline" ]; then
  echo "the API is compared with $(basename "$baseline")"
  options+=("-Dapi.baseline=$baseline")
fi

rm -rf release/target/staging release/target/bundle
# In the order of the modules, since the bundle is made with the last of them (-T 1 keeps another order).
# Nothing is installed: other builds on this machine must not find a version that nobody has released.
mvn -B -ntp -b singlethreaded clean deploy -Prelease -Dmaven.test.skip -Dmaven.install.skip "${options[@]}"

java release/CheckBundle.java release/target/bundle/central-bundle.zip .

# The commit alone, and elsewhere: what depends on the directory, or on files that are not part of the commit, differs.
# Maven keeps what it has compared with in the local repository, and a later rehearsal of the same version would be compared with
# that. Nothing of this version is installed, so nothing else is lost.
mvn -B -ntp -q -N help:evaluate -Dexpression=settings.localRepository -Doutput="$PWD/release/target/local-repository"
compared=$(<release/target/local-repository)
version=$(sed -n '0,/<version>/s|.*<version>\(.*\)</version>.*|\1|p' pom.xml)
rm -rf "${compared:?}"/dev/holdfast/*/"${version:?}"
first=$PWD/release/target/staging
second=$PWD/release/target/second
rm -rf "$second"
mkdir -p "$second"
git archive HEAD | tar -x -C "$second"
(cd "$second" && mvn -B -ntp -b singlethreaded verify artifact:compare -Prelease -Dmaven.test.skip -Dgpg.skip -Dbuildinfo.ignoreJavadoc=false \
  "-Dreference.repo=first-$(date +%s)::file://$first")
rm -rf "$second"
