#!/bin/sh
# One backup of a running server into $STELE_BACKUPS, its keys encrypted with the passphrase in the file $1; older ones go.
# Use: backup.sh PASSPHRASE_FILE   with STELE (the command), STELE_BACKUPS (a directory) and STELE_KEEP (how many, 14).
# Copy the directory to another machine afterwards: a backup beside the server is lost with it.
set -eu
backups=${STELE_BACKUPS:?set STELE_BACKUPS to a directory for backups}
umask 077
mkdir -p "$backups"
name=$(date -u +%Y-%m-%dT%H%M%SZ)
"${STELE:-stele}" backup "$backups/.$name" --passphrase-file "${1:?name the file of the passphrase}"
mv "$backups/.$name" "$backups/$name"
find "$backups" -mindepth 1 -maxdepth 1 -name '[0-9]*Z' | sort -r | tail -n +$((${STELE_KEEP:-14} + 1)) | xargs -r rm -r --
