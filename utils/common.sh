# Shared by utils/demo and utils/check: installing, configuring, building, saying so.
# shellcheck shell=bash
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${PANPIPE_BUILD_DIR:-$ROOT/build}
START=$SECONDS

# Everything a Debian 12 machine needs to build and test, by package name.
PACKAGES=(clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
          libclang-rt-22-dev libz3-dev libdnnl-dev rapidjson-dev libpng-dev
          libturbojpeg0-dev libgtest-dev cmake ninja-build python3)
OPTIONAL_PACKAGES=(ccache clang-format-22)

if [ -t 1 ]; then BOLD=$'\e[1m'; DIM=$'\e[2m'; RED=$'\e[31m'; GREEN=$'\e[32m'; OFF=$'\e[0m'
else BOLD= DIM= RED= GREEN= OFF=; fi

step() { printf '%s[%4ds] %s%s\n' "$BOLD" $((SECONDS - START)) "$*" "$OFF"; }
fail() { printf '%serror:%s %s\n' "$RED" "$OFF" "$*" >&2; exit 1; }

# need_space FOLDER GIB WHAT_FOR
need_space() {
  local free
  mkdir -p "$1" || fail "cannot create the folder $1"
  free=$(df -Pk "$1" | awk 'NR==2 {print int($4 / 1048576)}')
  [ "$free" -ge "$2" ] || fail "$3 needs $2 GiB free in $1, but only $free GiB are left; free some space and run this again"
}

install_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null || fail "this script installs Debian packages, but there is no dpkg here; install ${PACKAGES[*]} by hand and use 'cmake --preset release && ninja -C build'"
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  step "Installing ${#missing[@]} packages: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || fail "these Debian packages are missing: ${missing[*]}; run this as root, or: apt-get install ${missing[*]}"
  need_space /usr 4 "installing LLVM and MLIR"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq || fail "apt-get update failed: is the package mirror reachable?"
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || fail "the package $package is not known to apt: Panpipe needs Debian 12 with the security archive enabled, which carries LLVM 22"
  done
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$ROOT/out/apt.log" 2>&1 ||
    fail "apt-get could not install ${missing[*]}; see $ROOT/out/apt.log"
  apt-get install -y -qq --no-install-recommends "${OPTIONAL_PACKAGES[@]}" >>"$ROOT/out/apt.log" 2>&1 || true
}

# configure_and_build [cmake arguments] -- [ninja targets]
configure_and_build() {
  local cmake_args=() version
  while [ $# -gt 0 ] && [ "$1" != -- ]; do cmake_args+=("$1"); shift; done
  [ $# -gt 0 ] && shift
  version=$(cmake --version 2>/dev/null | awk 'NR==1 {print $3}') || true
  [ -n "$version" ] || fail "cmake is not on the PATH; apt-get install cmake"
  [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -n1)" = 3.25 ] || fail "cmake $version is too old: Panpipe needs 3.25 or newer"
  command -v clang++-22 >/dev/null || fail "clang++-22 is not on the PATH; apt-get install clang-22"
  need_space "$BUILD" 2 "the build"
  if command -v ccache >/dev/null; then
    cmake_args+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # Precompiled headers are only cached when ccache is told that time stamps do not matter.
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
  fi
  if [ ! -f "$BUILD/build.ninja" ] || [ ${#cmake_args[@]} -gt 1 ]; then
    step "Configuring in $BUILD"
    cmake -S "$ROOT" -B "$BUILD" --preset release "${cmake_args[@]}" >"$ROOT/out/configure.log" 2>&1 ||
      { tail -n 20 "$ROOT/out/configure.log" >&2; fail "CMake failed; the whole log is $ROOT/out/configure.log"; }
  fi
  step "Building (the first time takes some minutes on two cores)"
  if [ -t 1 ]; then
    ninja -C "$BUILD" "$@" || fail "the build failed; the first error is above"
  else
    # Without a terminal: a line now and then instead of one per file.
    ninja -C "$BUILD" "$@" >"$ROOT/out/build.log" 2>&1 &
    local pid=$! last=
    while kill -0 $pid 2>/dev/null; do
      sleep 5
      local now; now=$(grep -o '^\[[0-9]*/[0-9]*\]' "$ROOT/out/build.log" | tail -n1 || true)
      if [ "$now" != "$last" ] && [ $((SECONDS % 20)) -lt 5 ]; then printf '        %s\n' "$now"; last=$now; fi
    done
    wait $pid || { grep -m1 -A15 -E 'FAILED|error:' "$ROOT/out/build.log" >&2 || tail -n 20 "$ROOT/out/build.log" >&2
                   fail "the build failed; the whole log is $ROOT/out/build.log"; }
  fi
}

mkdir -p "$ROOT/out" || fail "cannot write to $ROOT/out"
