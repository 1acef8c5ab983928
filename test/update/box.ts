import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '../../src/jsonapi/locales/message.ts'
import { publicTextOf, signed } from '../../src/update/minisign.ts'
import { rauc } from '../../src/update/rauc.ts'
import type { UpdateSettings } from '../../src/update/update-settings.ts'

/** The slots of a simulated box, as its file has them. */
interface Slots {
  compatible: string
  booted: string
  default: string
  oneShot: string | null
  bad: string[]
  content: Record<string, string | null>
}

/** What lies below the program on a box with an image: slots, starts of the machine, and RAUC as a program. */
export function simulatedGround(folder: string) {
  const path = join(folder, 'slots.json')
  mkdirSync(folder, { recursive: true })
  const slots = (): Slots => JSON.parse(readFileSync(path, 'utf8'))
  const keep = (change: Partial<Slots>) => writeFileSync(path, JSON.stringify({ ...slots(), ...change }))
  if (!existsSync(path)) {
    writeFileSync(path, '{}')
    keep({ compatible: 'nightporter-amd64', booted: 'A', default: 'A', oneShot: null, bad: [] })
    keep({ content: { A: '0.6.0', B: null } })
    writeFileSync(join(folder, 'boot-id'), 'boot-1')
    const program = join(import.meta.dirname, 'simulated-rauc/rauc.mjs')
    writeFileSync(
      join(folder, 'rauc'),
      `#!/bin/sh\nexec "${process.execPath}" "${program}" "${folder}" "$@"\n`,
    )
    chmodSync(join(folder, 'rauc'), 0o755)
  }
  const bootId = () => readFileSync(join(folder, 'boot-id'), 'utf8')
  let uptimeMs = 60_000
  let refusal: Message | null = null
  return {
    slots,
    keep,
    bootId,
    /** The commands that RAUC was given. */
    calls: () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n'),
    misbehave: (how: string) => writeFileSync(join(folder, 'misbehave'), how),
    setUptime(ms: number): void {
      uptimeMs = ms
    },
    /** Its bootloader allows no updates. */
    refuse(why: Message | null): void {
      refusal = why
    },
    /** The machine starts again, by a request or by a power cut. */
    startMachine(): void {
      const { oneShot, default: usual } = slots()
      keep({ booted: oneShot ?? usual, oneShot: null })
      writeFileSync(join(folder, 'boot-id'), `boot-${Number(bootId().slice(5)) + 1}`)
      uptimeMs = 60_000
    },
    ground: {
      rauc: rauc(join(folder, 'rauc'), path),
      machine: { bootId, uptimeMs: () => uptimeMs, refusal: () => refusal },
      pluggedIn: async () => [],
      isOnUsb: () => true,
    },
  }
}

export type SimulatedGround = ReturnType<typeof simulatedGround>

/** Reads whether the program has asked for a restart of this start of the machine. */
export function restartAsked(data: string): string | null {
  const path = join(data, 'update/restart')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

const year = 365 * 86_400_000

/** A publisher of updates: keys, a folder as `image/channel.ts` lays it out, and an HTTP server that sends it. */
export async function publisher(now: number) {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-channel-'))
  const { privateKey } = generateKeyPairSync('ed25519')
  const asked: string[] = []
  /** Cuts answers to a file off after so many bytes. */
  let cutAfter: number | null = null
  const server: Server = createServer(({ url = '', headers }, response) => {
    asked.push(`${url}${headers.range ? ` ${headers.range}` : ''}`)
    const path = join(folder, new URL(url, 'http://x').pathname)
    if (!existsSync(path)) return void response.writeHead(404).end()
    const all = readFileSync(path)
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': String(all.length - from) })
    if (cutAfter === null || !url.endsWith('.raucb')) return void response.end(all.subarray(from))
    // What was sent reaches the other side before the line breaks.
    response.write(all.subarray(from, cutAfter), () => setTimeout(() => response.destroy(), 100))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    folder,
    asked,
    url,
    privateKey,
    cut(bytes: number | null): void {
      cutAfter = bytes
    },
    settings: (more: Partial<UpdateSettings> = {}): Partial<UpdateSettings> => ({
      from: url,
      keys: [publicTextOf(privateKey)],
      ...more,
    }),
    /** Publishes a bundle and the channel file that offers it. */
    publish(version: string, more: object = {}, bundle: object = {}, key: KeyObject = privateKey): void {
      mkdirSync(join(folder, 'channels'), { recursive: true })
      const name = `nightporter-${version}-amd64.raucb`
      const content = JSON.stringify({
        compatible: 'nightporter-amd64',
        version,
        isSigned: true,
        padding: 'x'.repeat(50_000),
        ...bundle,
      })
      writeFileSync(join(folder, name), content)
      const bytes = {
        url: name,
        sha256: createHash('sha256').update(content).digest('hex'),
        size: content.length,
      }
      const channel = {
        format: 1,
        channel: 'stable',
        version,
        published: new Date(now).toISOString(),
        expires: new Date(now + year).toISOString(),
        minimumVersion: '0.5.0',
        security: false,
        notes: { en: `What is new in ${version}.`, de: `Neu in ${version}.` },
        rollout: [],
        bundles: { amd64: bytes },
        ...more,
      }
      const text = Buffer.from(JSON.stringify(channel))
      const file = join(folder, `channels/${channel.channel}.json`)
      writeFileSync(file, text)
      writeFileSync(`${file}.minisig`, signed(text, `nightporter ${version}`, key))
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Publisher = Awaited<ReturnType<typeof publisher>>
