#!/bin/sh
# Try to have the real clients that tests talk to: GNU Go, Sabaki's GTP module, Chromium; KaTrain, pygomo, sgfmill.
# What cannot be had is said; never fails.
cd "$(dirname "$0")/../../.." || exit 0
PATH="$PATH:/usr/games"
folder=build/clients

if ! command -v gnugo > /dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        (apt-get install -y --no-install-recommends gnugo ||
            (apt-get update && apt-get install -y --no-install-recommends gnugo)) > /dev/null 2>&1
    fi
    command -v gnugo > /dev/null || echo "clients: there is no gnugo, and none could be installed"
fi

if ! command -v chromium > /dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        (apt-get install -y --no-install-recommends chromium ||
            (apt-get update && apt-get install -y --no-install-recommends chromium)) > /dev/null 2>&1
    fi
    command -v chromium > /dev/null || echo "clients: there is no chromium, and none could be installed"
fi

if ! command -v npm > /dev/null; then
    echo "clients: there is no npm to install @sabaki/gtp with"
elif [ ! -d "$folder/node_modules/@sabaki/gtp" ]; then
    mkdir -p "$folder"
    npm install --no-save --no-audit --no-fund --silent --prefix "$folder" @sabaki/gtp@3.0.0 > /dev/null 2>&1 ||
        echo "clients: @sabaki/gtp could not be installed"
fi

python=.venv/bin/python
[ -x "$python" ] || python=python3
if [ ! -d "$folder/python/sgfmill" ]; then
    "$python" -m pip install --quiet --no-deps --target "$folder/python" katrain==1.20.0 kivy==2.3.1 pysgf==1.0.0 \
        chardet==5.2.0 pygomo-lib==0.1.1 sgfmill==1.1.1 > /dev/null 2>&1 ||
        echo "clients: KaTrain, pygomo and sgfmill could not be installed"
fi
exit 0
