// Connects with the official TypeScript MCP SDK, version 1 or 2.

const info = { name: 'typescript-sdk', version: '1' }

async function sdk(version) {
    if (version === '1') {
        const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
        const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
        const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
        const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
        const resourceUpdated = ResourceUpdatedNotificationSchema
        return { eras: [undefined], Client, StreamableHTTPClientTransport, StdioClientTransport, resourceUpdated }
    }
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const resourceUpdated = 'notifications/resources/updated'
    // Version 2 speaks both protocol eras, and so does the server.
    const eras = ['legacy', { pin: '2026-07-28' }]
    return { eras, Client, StreamableHTTPClientTransport, StdioClientTransport, resourceUpdated }
}

/** The protocol eras of a version, how to connect in one of them, and what the version calls an update of a resource. */
export async function connector(version, transport, where) {
    const { eras, Client, StreamableHTTPClientTransport, StdioClientTransport, resourceUpdated } = await sdk(version)
    async function connect(mode, place) {
        const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } })
        const [command, ...args] = where
        const channel =
            transport === 'http'
                ? new StreamableHTTPClientTransport(new URL(place))
                : new StdioClientTransport({ command, args, env: process.env, stderr: 'ignore' })
        await client.connect(channel)
        const close = async () => {
            // Closing alone leaves the session to the server's reaper, and an exclusive nodeset held until then.
            if (channel.sessionId !== undefined) {
                await channel.terminateSession()
            }
            await client.close()
        }
        return { client, close }
    }
    return { eras, connect, resourceUpdated }
}
