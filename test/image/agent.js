// Runs inside the machine of a test, injected by the harness as a credential of systemd and never part of an image. One JSON
// object a line over a virtio port, or the first serial line of a Raspberry Pi: {"id": 1, "shell": "..."} is answered by
// {"id": 1, "code": 0, "out": "...", "err": "..."}, and {"id": 2, "request": {...}} by {"id": 2, "status": 200, "text": "..."}.
import { exec, execFileSync } from 'node:child_process'
import { createReadStream, existsSync, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const virtio = '/dev/virtio-ports/test.agent'
const path = existsSync(virtio) ? virtio : '/dev/ttyAMA0'
if (path !== virtio) execFileSync('stty', ['-F', path, 'raw', '-echo', 'clocal'])
const port = openSync(path, 'r+')
function send(message) {
  for (let left = Buffer.from(`${JSON.stringify(message)}\n`); left.length > 0; )
    left = left.subarray(writeSync(port, left))
}
async function requested({ port, path, body, ...how }) {
  const { request } = await import(port === 80 ? 'node:http' : 'node:https')
  const { promise, resolve, reject } = Promise.withResolvers()
  const asking = request({
    host: '127.0.0.1',
    port,
    path,
    rejectUnauthorized: false,
    timeout: 600_000,
    ...how,
  })
  asking.on('error', reject).on('response', async (answer) => {
    const parts = await answer.setEncoding('utf8').toArray()
    resolve({ status: answer.statusCode, text: parts.join('') })
  })
  asking.end(body)
  return promise
}
send({ id: 0 })
createInterface({ input: createReadStream(null, { fd: port, autoClose: false }) }).on('line', (line) => {
  if (!line.startsWith('{')) return
  const { id, shell, withinMs, request } = JSON.parse(line)
  if (request)
    requested(request).then(
      (answer) => send({ id, ...answer }),
      (error) => send({ id, status: 0, text: error.message }),
    )
  else
    exec(shell, { timeout: withinMs, maxBuffer: 16 << 20 }, (error, out, err) =>
      send({ id, code: error ? (error.code ?? 1) : 0, out, err }),
    )
})
