// Runs inside the machine of a test, injected by the harness as a credential of systemd and never part of an image. One JSON
// object a line over a virtio port: {"id": 1, "shell": "..."} is answered by {"id": 1, "code": 0, "out": "...", "err": "..."}.
import { exec } from 'node:child_process'
import { createReadStream, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const port = openSync('/dev/virtio-ports/test.agent', 'r+')
function send(message) {
  for (let left = Buffer.from(`${JSON.stringify(message)}\n`); left.length > 0; )
    left = left.subarray(writeSync(port, left))
}
send({ id: 0 })
createInterface({ input: createReadStream(null, { fd: port, autoClose: false }) }).on('line', (line) => {
  if (!line.startsWith('{')) return
  const { id, shell, withinMs } = JSON.parse(line)
  exec(shell, { timeout: withinMs, maxBuffer: 16 << 20 }, (error, out, err) =>
    send({ id, code: error ? (error.code ?? 1) : 0, out, err }),
  )
})
