#!/bin/sh
# Tests mvnw: each case runs it in a copy of its files, with a PATH that holds nothing but a few tools and the fakes of the case.

set -eu

project=$(cd "$(dirname "$0")/../.." && pwd -P)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
failures=0
cases=0

# begin NAME: a fresh project, home and PATH.
begin() {
  case_name=$1
  cases=$((cases + 1))
  here=$room/$cases
  mkdir -p "$here/project/.mvn/wrapper" "$here/home" "$here/bin" "$here/places"
  cp "$project/mvnw" "$here/project/"
  cp "$project/.mvn/wrapper/maven-wrapper.properties" "$here/project/.mvn/wrapper/"
  for tool in sh sed tr cut head cat dirname mkdir mktemp mv rm tar gzip sha512sum; do
    ln -s "$(command -v "$tool")" "$here/bin/$tool"
  done
  fake "$here/bin/java" 'exit 0'
  maven_home=
}

fake() {
  mkdir -p "$(dirname "$1")"
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

# fake_mvn FILE VERSION: tells its version with the colours of a terminal, and its arguments each in brackets.
fake_mvn() {
  fake "$1" "if [ \"\$1\" = -v ]; then printf '\\033[1mApache Maven $2 (abc)\\033[m\\n'; exit 0; fi
printf 'ran $2'; for a in \"\$@\"; do printf ' [%s]' \"\$a\"; done; printf '\\n'; exit \${FAKE_EXIT:-0}"
}

# An archive that holds a fake Maven 3.9.11, and a curl that copies it and counts its calls.
fake_archive() {
  fake_mvn "$here/places/apache-maven-3.9.11/bin/mvn" 3.9.11
  tar -czf "$here/places/archive.tar.gz" -C "$here/places" apache-maven-3.9.11
  sum=$(sha512sum "$here/places/archive.tar.gz" | cut -d ' ' -f 1)
  sed "s/^distributionSha512Sum=.*/distributionSha512Sum=$sum/" \
    "$project/.mvn/wrapper/maven-wrapper.properties" >"$here/project/.mvn/wrapper/maven-wrapper.properties"
}

fake_curl() {
  fake "$here/bin/curl" "echo called >>'$here/curl-calls'
while [ \$# -gt 1 ]; do [ \"\$1\" = -o ] && out=\$2; shift; done
case \$1 in https://archive.apache.org/*3.9.11*.tar.gz) cat '$here/places/archive.tar.gz' >\"\$out\" ;; *) exit 22 ;; esac"
}

run() {
  status=0
  (cd "$here" && env -i PATH="$here/bin" HOME="$here/home" MAVEN_HOME="$maven_home" FAKE_EXIT="${fake_exit:-0}" \
    "$here/project/mvnw" "$@") >"$here/out" 2>"$here/err" </dev/null || status=$?
}

complain() {
  failures=$((failures + 1))
  printf 'FAILED %s: %s\n' "$case_name" "$1"
  sed 's/^/  out: /' "$here/out"
  sed 's/^/  err: /' "$here/err"
}

expect_status() { [ "$status" -eq "$1" ] || complain "exit status is $status, not $1"; }
expect_out() { [ "$(cat "$here/out")" = "$1" ] || complain "output is not: $1"; }
expect_err() { grep -qF -- "$1" "$here/err" || complain "error output lacks: $1"; }
expect_nothing_kept() { [ -z "$(ls -A "$here/home/.m2/wrapper" 2>/dev/null)" ] || complain 'something was left behind'; }

begin 'a new enough mvn on the PATH runs, with the arguments as they were given'
fake_mvn "$here/bin/mvn" 3.8.7
run -B 'a b' '' '$x'
expect_status 0
expect_out 'ran 3.8.7 [-B] [a b] [] [$x]'

begin 'the exit status is that of mvn'
fake_mvn "$here/bin/mvn" 3.9.6
fake_exit=7 run verify
expect_status 7

begin 'MAVEN_HOME comes before the PATH'
fake_mvn "$here/bin/mvn" 3.9.6
fake_mvn "$here/places/my maven/bin/mvn" 3.9.9
maven_home="$here/places/my maven"
run verify
expect_out 'ran 3.9.9 [verify]'

begin 'an old MAVEN_HOME gives way to a newer mvn on the PATH'
fake_mvn "$here/bin/mvn" 3.10.1
fake_mvn "$here/places/old/bin/mvn" 3.6.3
maven_home=$here/places/old
run verify
expect_out 'ran 3.10.1 [verify]'

for version in 4.0.0-rc-4 4.0 3.8.10 3.10.0; do
  begin "$version is new enough"
  fake_mvn "$here/bin/mvn" "$version"
  run verify
  expect_out "ran $version [verify]"
done

for version in 3.8.6 3.6.3 3.0 2.99.99; do
  begin "instead of an mvn $version the pinned one is downloaded, once"
  fake_mvn "$here/bin/mvn" "$version"
  fake_archive
  fake_curl
  run -B verify
  expect_status 0
  expect_out 'ran 3.9.11 [-B] [verify]'
  expect_err "is $version"
  run again
  expect_out 'ran 3.9.11 [again]'
  [ "$(cat "$here/curl-calls")" = called ] || complain 'curl was called more than once'
  [ "$(ls -A "$here/home/.m2/wrapper")" = apache-maven-3.9.11 ] || complain 'something was left behind'
done

begin 'without any mvn the pinned one is downloaded'
fake_archive
fake_curl
run verify
expect_out 'ran 3.9.11 [verify]'

begin 'wget does as well as curl'
fake_archive
fake "$here/bin/wget" "while [ \$# -gt 1 ]; do [ \"\$1\" = -O ] && out=\$2; shift; done; cat '$here/places/archive.tar.gz' >\"\$out\""
run verify
expect_out 'ran 3.9.11 [verify]'

begin 'a wrong checksum stops it, and the file is deleted'
fake_archive
fake_curl
printf 'x' >>"$here/places/archive.tar.gz"
run verify
expect_status 1
expect_out ''
expect_err 'checksum'
expect_nothing_kept

begin 'a download that fails is explained'
fake "$here/bin/curl" 'exit 6'
run verify
expect_status 1
expect_err 'The download of https://archive.apache.org/'
expect_err 'Install Maven 3.8.7 or later'
expect_nothing_kept

begin 'without curl and wget it says so'
run verify
expect_status 1
expect_err 'neither curl nor wget'
expect_nothing_kept

begin 'without a tool for checksums it says so'
fake_archive
fake_curl
rm "$here/bin/sha512sum"
run verify
expect_status 1
expect_err 'install sha512sum, shasum or openssl'
expect_nothing_kept

begin 'without Java it says so'
fake_mvn "$here/bin/mvn" 3.9.6
rm "$here/bin/java"
run verify
expect_status 1
expect_err 'No Java found: install a JDK of version 17 or later'

begin 'without its properties it says so'
fake_mvn "$here/bin/mvn" 3.9.6
rm "$here/project/.mvn/wrapper/maven-wrapper.properties"
run verify
expect_status 1
expect_err 'maven-wrapper.properties is missing'

if [ "$failures" -gt 0 ]; then
  echo "mvnw: $failures checks failed in $cases cases"
  exit 1
fi
echo "mvnw: $cases cases passed"
