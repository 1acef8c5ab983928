import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { systemClock } from '../../host/clock.ts'
import { CommandFailed } from '../exit-codes.ts'

/** An open wire on which the appliance reaches a device. */
export interface OpenWire {
  /** The path, as in the address of a device. */
  path: string
  close(): void
}

type Play = (wire: Duplex) => Promise<void>

/** Opens a TCP port. Each connection is a new wire to the same device. Port 0 selects a free port. */
export async function openPort(host: string, port: number, play: Play): Promise<OpenWire> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    void play(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new CommandFailed('unreachable', `${host}:${port}: ${message}`)),
    )
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as { port: number }
  return {
    path: `tcp://${host}:${taken}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const pluggedInAgainAfterMs = 500

/**
 * Opens a serial line: a pseudo-terminal that socat connects to a local TCP port, with a link to it at `path` or in a
 * new folder. When the device drops the line, it disappears for 500 ms, like an adapter that is unplugged and plugged
 * in again.
 */
export async function openLine(path: string | undefined, play: Play): Promise<OpenWire> {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'nightporter-')) : null
  const link = path ?? join(folder!, 'line')
  const port = await openPort('127.0.0.1', 0, play)
  // With ignoreeof, socat keeps running when a program closes the line and opens it again later.
  const ends = [`pty,raw,echo=0,ignoreeof,link=${link}`, `tcp:${port.path.slice('tcp://'.length)},nodelay`]
  let isOpen = true
  let socat: ChildProcess = spawn('socat', ends, { stdio: ['ignore', 'ignore', 'pipe'] })

  function close(): void {
    isOpen = false
    socat.kill()
    port.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }

  function plugInAgain(): void {
    systemClock.setTimeout(() => {
      if (!isOpen) return
      socat = spawn('socat', ends, { stdio: ['ignore', 'ignore', 'ignore'] })
      socat.once('exit', plugInAgain)
    }, pluggedInAgainAfterMs)
  }

  try {
    await linked(socat, link)
  } catch (error) {
    close()
    throw error
  }
  socat.once('exit', plugInAgain)
  return { path: link, close }
}

/** Resolves when the link exists. Rejects with CommandFailed when socat ends first or is not installed. */
async function linked(socat: ChildProcess, link: string): Promise<void> {
  let failure: CommandFailed | null = null
  let said = ''
  socat.stderr!.on('data', (bytes: Buffer) => {
    said = bytes.toString().trim()
  })
  socat.once('error', ({ message }) => {
    const missing = message.includes('ENOENT')
    const why = missing
      ? 'pty needs the program socat. Install it (apt-get install socat), or use tcp:PORT'
      : message
    failure = new CommandFailed('missing', why)
  })
  socat.once('exit', () => {
    failure ??= new CommandFailed('unreachable', `${link}: socat ended. ${said}`)
  })
  while (!existsSync(link)) {
    if (failure) throw failure
    await systemClock.sleep(20)
  }
}
