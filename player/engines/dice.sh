#!/usr/bin/env bash
# Any move, in any game that sends LEGAL.
while read -r word rest; do
	if [[ $word == LEGAL ]]; then echo "MOVE $(tr ';' '\n' <<<"$rest" | shuf -n 1)"; fi
done
