import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { program } from '../../program.ts'
import { programMissing } from '../../programs.ts'

/**
 * Does what systemd does before it starts a service: the port and the connected socket for messages are open, and the environment names them.
 * Prints each message with whether it came from the main process. A line on its input ends the service.
 */
const manager = `
import os, signal, socket, struct, sys, threading
path = sys.argv[1]
inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
inbox.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
inbox.bind(path)
port = socket.socket()
port.bind(('127.0.0.1', 0))
port.listen()
print('port', port.getsockname()[1], flush=True)
pid = os.fork()
if pid == 0:
    out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    out.connect(path)
    os.dup2(out.fileno(), 9)
    os.dup2(port.fileno(), 8)
    os.dup2(8, 3)
    os.dup2(9, 4)
    env = dict(os.environ, NOTIFY_SOCKET='/nowhere', LISTEN_PID=str(os.getpid()), LISTEN_FDS='2', LISTEN_FDNAMES='https:notify')
    os.execve(sys.argv[2], sys.argv[2:], env)
def end():
    sys.stdin.readline()
    os.kill(pid, signal.SIGTERM)
threading.Thread(target=end, daemon=True).start()
while True:
    text, [(_, _, credentials)], _, _ = inbox.recvmsg(4096, 64)
    print(text.decode(), struct.unpack('3i', credentials)[0] == pid, flush=True)
    if text == b'STOPPING=1': break
print('ended with', os.waitpid(pid, 0)[1])
`

it('The program answers with TLS at the port that systemd opened, and its main process says READY and STOPPING', {
  skip: programMissing('python3'),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'passed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'manager.py'), manager)
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data', 'nightporter.json'), '{"localPort": null}')
  const serve = [fileURLToPath(program), 'serve', '--data', join(folder, 'data')]
  const args = [join(folder, 'manager.py'), join(folder, 'notify'), process.execPath, ...serve]
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const heard: string[] = []
  let port = 0
  let ready = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^(READY|STOPPING|ended)/.test(line)) heard.push(line)
    const [, found] = /^port (\d+)$/.exec(line) ?? []
    if (found) port = Number(found)
    if (!line.startsWith('READY')) continue
    ready = await statusAt(port)
    child.stdin.write('end\n')
  }
  assert.equal(ready, 200)
  assert.deepEqual(heard, ['READY=1 True', 'STOPPING=1 True', 'ended with 0'])
})

function statusAt(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, path: '/readyz', host: '127.0.0.1', rejectUnauthorized: false }
    get(options, (answer) => resolve(answer.resume().statusCode ?? 0)).once('error', reject)
  })
}
