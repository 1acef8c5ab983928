import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPort } from '../../../../own-port.ts'
import { patienceMs } from '../../../../patience.ts'
import { programMissing } from '../../../../programs.ts'
import { certificates } from '../certificates.ts'

const program = '/usr/sbin/mosquitto'

/** Why what needs a real broker is left out; false where it is not. */
export const noMosquitto = programMissing('openssl', 'mosquitto')

/** A Mosquitto of its own, with TLS, passwords and the access list of `test/many-boxes/acl`. */
export interface Mosquitto {
  /** `mqtts://localhost:PORT`; the same after a restart. */
  url: string
  /** Where a certificate of the client is asked for as well. */
  certifiedUrl: string
  /** PEM texts. */
  ca: string
  client: { cert: string; key: string }
  /** Of an authority that has signed nothing here. */
  strangeCa: string
  pid: number
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again, with what it has written down or without. */
  start(how?: { forgetting: boolean }): Promise<void>
  close(): Promise<void>
}

const acl = join(import.meta.dirname, '../../../../many-boxes/acl')
/** Looks over everybody's shoulder. */
const spy = '\nuser spy\ntopic read nightporter/#\ntopic read $SYS/#\n'

/** Passwords by user. What it writes down it writes down at once. */
export async function startMosquitto(users: Record<string, string>): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  const inFolder = (name: string) => join(folder, name)
  const { ca, server, client, stranger } = certificates()
  const pems = { 'ca.pem': ca.cert, 'server.pem': server.cert, 'server.key': server.key }
  for (const [name, text] of Object.entries(pems)) writeFileSync(inFolder(name), text, { mode: 0o600 })
  writeFileSync(inFolder('acl'), readFileSync(acl, 'utf8') + spy)
  const passwords = Object.entries(users).map(([user, password]) => `${user}:${password}\n`)
  writeFileSync(inFolder('passwords'), passwords.join(''), { mode: 0o600 })
  run('mosquitto_passwd', ['-U', inFolder('passwords')])
  const [port, certifiedPort] = [await ownPort(), await ownPort()]
  const tls = `cafile ${inFolder('ca.pem')}\ncertfile ${inFolder('server.pem')}\nkeyfile ${inFolder('server.key')}`
  writeFileSync(
    inFolder('conf'),
    `user root
per_listener_settings false
allow_anonymous false
password_file ${inFolder('passwords')}
acl_file ${inFolder('acl')}
persistence true
persistence_location ${folder}/
autosave_on_changes true
autosave_interval 1
log_dest none
sys_interval 1
listener ${port} 127.0.0.1
${tls}
listener ${certifiedPort} 127.0.0.1
${tls}
require_certificate true
`,
  )
  let child: ChildProcess

  async function start({ forgetting } = { forgetting: false }): Promise<void> {
    if (forgetting) rmSync(inFolder('mosquitto.db'), { force: true })
    child = spawn(program, ['-c', inFolder('conf')], { stdio: 'ignore' })
    await listeningAt(port, child)
    mosquitto.pid = child.pid ?? 0
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  const mosquitto: Mosquitto = {
    url: `mqtts://localhost:${port}`,
    certifiedUrl: `mqtts://localhost:${certifiedPort}`,
    ca: ca.cert,
    client,
    strangeCa: stranger.cert,
    pid: 0,
    kill,
    start,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await start()
  return mosquitto
}

function run(program: string, args: string[], cwd = '.'): void {
  const { status, stderr } = spawnSync(program, args, { cwd })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

async function listeningAt(port: number, child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 10) {
    if (await answersAt(port)) return
    if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('mosquitto does not listen')
}

function answersAt(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
