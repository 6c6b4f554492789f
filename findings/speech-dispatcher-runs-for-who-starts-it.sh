#!/bin/sh
# speech-dispatcher: nothing starts it but a client that runs its program, it ends seconds after the last one, and it takes any language for its own.
#
# Package:  speech-dispatcher, speech-dispatcher-audio-plugins 0.11.4-2, libasound2 1.2.8-1+b1 (Debian 12).
# Guess:    where it is installed it waits at its socket in XDG_RUNTIME_DIR for whoever has something to say, by systemd or with the desktop, as the
#           sound server does. A language that no voice has ("SET self LANGUAGE ja") is an error, by which a program finds out that it had better
#           say nothing.
# Seen:     the package starts nothing for a session. Its library runs "speech-dispatcher --spawn" when nobody answers at the socket; that is back when
#           the server listens. Five seconds after its last client it ends, and leaves the socket's file, at which connections are refused. So
#           a program that speaks the protocol by itself is mute for all but those whose screen reader is on. Every language is "201 OK
#           LANGUAGE SET", and the text is said by the voice that there is: Japanese by an English one. LIST VOICES tells which there are.
#           nettplay was mute without a screen reader; it starts the server as the library does now.
# Output:   before:                      nobody at the socket
#           behind --spawn:              208 OK CLIENT NAME SET
#           SET self LANGUAGE de:        201 OK LANGUAGE SET, Hallo by voice de
#           SET self LANGUAGE ja:        201 OK LANGUAGE SET, Konnichi wa by voice en
#           without clients:             it has ended, the socket's file is there, connection refused
#
# Needs the libraries that the packages need (apt-get install speech-dispatcher brings them), and python3. No sound, no device. The voice is a
# line of shell that writes down what it is to say. Takes 15 s.
. "$(dirname "$0")/begin.inc"
fetch speech-dispatcher=0.11.4-2 speech-dispatcher-audio-plugins=0.11.4-2 libasound2=1.2.8-1+b1 libdotconf0 libltdl7 libsndfile1 libao4
bin=$(find root -name speech-dispatcher -type f -path '*bin*')
SPEECHD_PLUGIN_DIR=$(dirname "$(find "$dir/root" -name spd_alsa.so)") ALSA_CONFIG_PATH=$dir/asound.conf HOME=$dir XDG_RUNTIME_DIR=$dir/run
export SPEECHD_PLUGIN_DIR ALSA_CONFIG_PATH HOME XDG_RUNTIME_DIR
echo 'pcm.default { type null }' >asound.conf
mkdir -p run conf/modules conf/clients
chmod 700 run
cat >conf/speechd.conf <<C
LogLevel 1
LogDir "$dir"
AudioOutputMethod "alsa"
AddModule "writer" "sd_generic" "writer.conf"
DefaultModule writer
DefaultLanguage "en"
C
cat >conf/modules/writer.conf <<C
GenericExecuteSynth "echo '\$DATA by voice \$VOICE' >>$dir/written"
GenericLanguage "en" "en" "utf-8"
GenericLanguage "de" "de" "utf-8"
AddVoice "en" "MALE1" "en"
AddVoice "de" "MALE1" "de"
DefaultVoice "en"
C
cat >client.py <<'P'
import os, socket, subprocess, sys, time

path = os.environ["XDG_RUNTIME_DIR"] + "/speech-dispatcher/speechd.sock"

def connect():
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return s.makefile("rwb", buffering=0)

def ask(f, line):
    f.write(line.encode() + b"\r\n")
    while True:
        answer = f.readline().decode().strip()
        if answer[3:4] != "-":
            return answer

def say(f, language, text):
    open("written", "w").close()
    print(f"{'SET self LANGUAGE ' + language + ':':28}", ask(f, "SET self LANGUAGE " + language), end=", ")
    ask(f, "SPEAK")
    ask(f, text + "\r\n.")
    while not os.path.getsize("written"):
        time.sleep(0.1)
    print(open("written").read().strip())

try:
    connect()
    print("before:                      somebody")
except OSError:
    print("before:                      nobody at the socket")
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
f = connect()
print("behind --spawn:             ", ask(f, "SET self CLIENT_NAME somebody:test:window"))
say(f, "de", "Hallo")
say(f, "ja", "Konnichi wa")
f.close()
with open(os.path.dirname(path) + "/pid/speech-dispatcher.pid") as p:
    server = int(p.read())
for _ in range(600):
    try:
        os.kill(server, 0)
    except ProcessLookupError:
        break
    time.sleep(0.1)
else:
    print("without clients:             it runs on")
    os.kill(server, 15)
    sys.exit()
there = "there" if os.path.exists(path) else "gone"
try:
    connect()
    what = "connected"
except ConnectionRefusedError:
    what = "connection refused"
except OSError:
    what = "nobody"
print(f"without clients:             it has ended, the socket's file is {there}, {what}")
P
timeout 120 python3 client.py "$bin" --spawn -C "$dir/conf" -m "$(dirname "$(find "$dir/root" -name sd_generic)")" | tee seen
dpkg -c ./speech-dispatcher_*.deb | grep -E 'systemd/user|xdg/autostart|dbus-1/services' >>seen || true
[ "$(cat seen)" = "before:                      nobody at the socket
behind --spawn:              208 OK CLIENT NAME SET
SET self LANGUAGE de:        201 OK LANGUAGE SET, Hallo by voice de
SET self LANGUAGE ja:        201 OK LANGUAGE SET, Konnichi wa by voice en
without clients:             it has ended, the socket's file is there, connection refused" ] || {
	echo "changed: it starts by itself, or stays, or knows which languages it has" >&2
	exit 1
}
