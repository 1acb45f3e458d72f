#!/usr/bin/env bash
# Rehearses a release of the current commit in a clone: tags it there, builds the bundle with a key made for this, checks it, its
# signatures and that it can be built again. Uploads nothing, installs nothing, and changes nothing but release/target.
# Needs git and gpg beside what the build needs. The changes that are not committed are not part of it.
set -euo pipefail
cd "$(dirname "$0")/.."

clone=$PWD/release/target/rehearsal
rm -rf "$clone"
mkdir -p release/target
git clone -q . "$clone"

keys=$(mktemp -d)
trap 'gpgconf --homedir "$keys" --kill all; rm -rf "$keys"' EXIT
chmod 700 "$keys"
gpg --homedir "$keys" --batch -q --pinentry-mode loopback --passphrase rehearsal \
  --quick-generate-key "Rehearsal of Holdfast" rsa3072 sign 1d
MAVEN_GPG_KEY=$(gpg --homedir "$keys" --batch -q --pinentry-mode loopback --passphrase rehearsal --armor --export-secret-keys)
export MAVEN_GPG_KEY MAVEN_GPG_PASSPHRASE=rehearsal

cd "$clone"
version=$(sed -n 's|.*<version>\(.*\)-SNAPSHOT</version>.*|\1|p' pom.xml | head -1)
if [ -z "$(git tag --list 'v[0-9]*')" ]; then
  # Before the first release, its API is compared with itself.
  git tag v0.0.0
fi
git config user.name rehearsal
git config user.email rehearsal@localhost
release/tag.sh "$version"
git checkout -q "v$version"
release/bundle.sh

signatures=0
while read -r signature; do
  gpg --homedir "$keys" --batch -q --verify "$signature" "${signature%.asc}" 2>/dev/null || {
    echo "$signature is not valid" >&2
    exit 1
  }
  signatures=$((signatures + 1))
done < <(find release/target/staging -name '*.asc')
echo "$signatures signatures are valid"
echo "the rehearsal of $version has passed: $clone/release/target/bundle/central-bundle.zip"
