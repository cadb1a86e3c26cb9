#!/bin/sh
# Bundles the worker into one file: build.sh [OUT], dist/worker.mjs by default.
set -e
cd "$(dirname "$0")"
exec esbuild src/main.mjs --bundle --platform=node --target=node18 --format=esm --log-level=warning --outfile="${1:-dist/worker.mjs}"
