import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApplianceRefusal, type Client, type Reply } from '../../../src/cli/client.ts'
import { CommandFailed, type Exit } from '../../../src/cli/exit-codes.ts'
import { type ImportOptions, importBookings } from '../../../src/cli/import/import.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'

/** What an import has said, and how it ended: the number of refused rows, or the name of its exit. */
export interface Imported {
  ended: number | Exit
  stdout: string
  stderr: string
}

/** A hotel into which files are imported as the command line does it, without a process of its own. */
export interface ImportHouse extends TestAppliance {
  /** Imports a text as a CSV file, or the bytes of any file. */
  import(
    file: string | Buffer,
    map: object,
    options?: Omit<ImportOptions, 'map'> & { name?: string },
  ): Promise<Imported>
  /** The only stay of an imported reservation, and the guest's profile; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  stayOf(externalId: string): Promise<{ stay: any; guest: any } | null>
}

export async function importHouse(): Promise<ImportHouse> {
  const house = await startAppliance()
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-import-'))
  const ask = clientOf(house)
  const { stop } = house

  async function run(file: string | Buffer, map: object, { name = 'bookings.csv', ...options } = {}) {
    const [path, mapPath] = [join(folder, name), join(folder, 'map.json')]
    writeFileSync(path, file)
    writeFileSync(mapPath, JSON.stringify(map))
    const printed: string[] = []
    const warned: string[] = []
    const host = {
      clock: house.clock,
      print: (text: string) => printed.push(text),
      warn: (line: string) => warned.push(line),
    }
    const ended = await importBookings(ask, path, { ...options, map: mapPath }, host).catch((error) => {
      if (!(error instanceof CommandFailed)) throw error
      warned.push(error.message)
      return error.exit
    })
    return { ended, stdout: printed.join('\n'), stderr: warned.join('\n') }
  }

  async function stayOf(externalId: string) {
    const filter = `filter[externalId]=${encodeURIComponent(externalId)}`
    const { body } = await house.ask('GET', `/api/v2/reservations?${filter}`)
    const stay = body.data[0]?.attributes.stays[0]
    if (!stay) return null
    const [profile] = stay.profiles
    const guest = profile && (await house.ask('GET', `/api/v2/profiles/${profile.id}`)).body.data.attributes
    return { stay, guest: guest ?? null }
  }

  return Object.assign(house, {
    import: run,
    stayOf,
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

function clientOf(house: TestAppliance): Client {
  return async <Body>(
    method: string,
    path: string,
    { body, headers = {} } = {} as { body?: unknown; headers?: Record<string, string> },
  ) => {
    const reply = await house.ask(method, path, { body, headers: { 'Accept-Language': 'en', ...headers } })
    if (reply.status >= 400) throw new ApplianceRefusal(reply.status, reply.body.errors)
    return { body: reply.body, etag: reply.headers.get('etag') } as Reply<Body>
  }
}
