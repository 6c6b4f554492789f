#!/bin/sh
# Unpacks what a program for another architecture is built and run with, out of Debian's packages:
#
#   packaging/cross/sysroot.sh arm64 DIR PACKAGE...
#
# It needs no root, and changes nothing outside DIR: lists and state of apt are its own.
set -eu
arch=$1 dir=$2
shift 2
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"
: >"$dir/apt/status"
apt() {
	apt-get -q -y -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State="$dir/apt" \
		-o Dir::State::Status="$dir/apt/status" -o Dir::Cache="$dir/apt/cache" -o Debug::NoLocking=1 \
		-o APT::Install-Recommends=0 -o APT::Sandbox::User= "$@" >"$dir/apt/log" 2>&1 || {
		cat "$dir/apt/log" >&2
		exit 1
	}
}
apt update
apt install --download-only "$@"
mkdir -p "$dir/root"
for deb in "$dir"/apt/cache/archives/*.deb; do
	dpkg-deb -x "$deb" "$dir/root"
done
touch "$dir/done"
