#!/bin/sh
# An MCP server over stdio that lists the tools of its argument, a result of tools/list, and has nothing else.
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"initialize"'*) answer='"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"listing","version":"1"}}' ;;
    *'"tools/list"'*) answer="\"result\":$1" ;;
    *'"id":'*) answer='"error":{"code":-32601,"message":"Method not found"}' ;;
    *) continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done
