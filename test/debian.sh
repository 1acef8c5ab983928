# Sourced by what installs packages of Debian for tests: `.ci/run`, and the scripts of machines in `test/long`.
export DEBIAN_FRONTEND=noninteractive

# A package that does not move for 30 s is tried again, three times; nothing takes longer than five minutes.
apt() {
  timeout -k 10 300 apt-get -qq -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 \
    -o DPkg::Lock::Timeout=60 -o APT::Sandbox::User=root "$@" </dev/null >/dev/null
}
