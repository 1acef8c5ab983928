import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { systemClock } from '../../host/clock.ts'
import { makeFolders } from '../../host/files/make-folders.ts'
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
 * Opens a serial line: a pseudo-terminal that socat connects to a local TCP port, with a link to it at `path`, whose
 * folder is created, or in a new folder. When the device drops the line, it disappears for 500 ms, like an adapter that
 * is unplugged and plugged in again. Throws CommandFailed `permission` or `usage` when there can be no link at `path`.
 */
export async function openLine(path: string | undefined, play: Play): Promise<OpenWire> {
  if (path !== undefined) makeWay(path)
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'nightporter-')) : null
  const link = path ?? join(folder!, 'line')
  const port = await openPort('127.0.0.1', 0, play)
  // With ignoreeof, socat keeps running when a program closes the line and opens it again later.
  const ends = [
    `pty,raw,echo=0,ignoreeof,link=${escaped(link)}`,
    `tcp:${port.path.slice('tcp://'.length)},nodelay`,
  ]
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

/** Creates the folder of a link, and removes the link of an earlier run. Throws CommandFailed when it cannot. */
function makeWay(link: string): void {
  try {
    makeFolders(dirname(link))
    const old = lstatSync(link, { throwIfNoEntry: false })
    if (old?.isSymbolicLink()) rmSync(link)
    else if (old) {
      throw new CommandFailed(
        'usage',
        `pty:${link} exists already and is not the link of a serial line. Name a path that is free.`,
      )
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(code)
    throw new CommandFailed(
      isForbidden ? 'permission' : 'usage',
      `pty:${link} cannot be created: ${message}. Name a path in a folder that this user may write.`,
      { cause: error },
    )
  }
}

/** Escapes the characters with a meaning in an address of socat. */
function escaped(path: string): string {
  return path.replace(/[\\,:!"'()[\]{}]/g, '\\$&')
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
