#!/usr/bin/env bash
# Makes the commit and the tag of a release: release/tag.sh 0.1.0
# The commit is the child of the current one and on no branch: in it, and there alone, the POMs and the documents have the version of
# the release, and the documents no passage that is marked as unreleased. The branch keeps its snapshot. Nothing is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?usage: release/tag.sh VERSION}
if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "a version is major.minor.patch, was $version" >&2
  exit 2
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "the work tree must be clean, or the tag would not be what was tested" >&2
  exit 1
fi
if ! grep -qx "## $version (unreleased)" CHANGELOG.md; then
  echo "CHANGELOG.md has no line '## $version (unreleased)'" >&2
  exit 1
fi
if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
  echo "v$version exists" >&2
  exit 1
fi

branch=$(git symbolic-ref -q --short HEAD || git rev-parse HEAD)
snapshot=$(sed -n 's|.*<version>\(.*-SNAPSHOT\)</version>.*|\1|p' pom.xml | head -1)
today=$(date -u +%F)

git checkout -q --detach
# Whatever fails from here on, the branch is what it was.
trap 'git checkout -q --force "$branch"' EXIT
mapfile -d '' poms < <(git ls-files -z '*pom.xml')
mapfile -d '' documents < <(git grep -lzF "$snapshot" -- '*.md')
sed -i.orig \
  -e "s|<version>$snapshot</version>|<version>$version</version>|" \
  -e "s|<tag>HEAD</tag>|<tag>v$version</tag>|" \
  -e "s|\(<project.build.outputTimestamp>\).*\(</project.build.outputTimestamp>\)|\1${today}T00:00:00Z\2|" "${poms[@]}"
sed -i.orig -e "s|$snapshot|$version|g" -e '/^<!-- unreleased -->$/,/^<!-- released -->$/d' "${documents[@]}"
sed -i.orig "s|^## $version (unreleased)$|## $version ($today)|" CHANGELOG.md
rm -f "${poms[@]/%/.orig}" "${documents[@]/%/.orig}" CHANGELOG.md.orig
git commit -q -a -m "release: $version"
git tag -a -m "Holdfast $version" "v$version"
echo "v$version is $(git rev-parse --short HEAD); to release it: git push origin v$version"
