import { createReadStream, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join, normalize } from 'node:path'
import { freePort } from './free-port.ts'

/** A port of the host, which machines reach as 10.0.2.2. */
const port = await freePort()

/** Where machines find the folder that `serveFolder` serves. */
export const servedAt = `http://10.0.2.2:${port}`

/** Serves the files of a folder, whole and by ranges of bytes, as a web server does. */
export async function serveFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const file = join(folder, normalize(new URL(request.url ?? '/', servedAt).pathname))
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (size === undefined) return response.writeHead(404).end()
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const end = to ? Math.min(Number(to), size - 1) : size - 1
    const headers = { 'Accept-Ranges': 'bytes', 'Content-Length': end - start + 1 }
    if (from === undefined) response.writeHead(200, headers)
    else response.writeHead(206, { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` })
    if (request.method === 'HEAD') return response.end()
    return createReadStream(file, { start, end })
      .on('error', () => response.destroy())
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}
