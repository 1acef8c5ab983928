import Database from 'better-sqlite3'
import { monday } from '../../appliance.ts'
import { nextUuid } from '../../uuid.ts'

interface About {
  configurationId: string
  reservationId: string
  /** None: the conflict is about the whole reservation. */
  stayId?: string
}

/** What both sides have said, by the paths of values. */
interface Said {
  fieldGroup: string
  local: Record<string, unknown>
  upstream: Record<string, unknown>
  counts?: 'Pms' | 'Local'
}

/** Puts a conflict about the comment of a stay into the store of a house, in which what is there counts; its id. */
export function keptConflict(
  data: string,
  of: About & { stayId: string },
  state: 'open' | 'settled' = 'open',
): string {
  const db = new Database(`${data}/nightporter.db`)
  const comment = db.prepare('SELECT comment FROM stay WHERE id = ?').pluck().get(bytesOf(of.stayId))
  db.close()
  const at = `/stays/${of.stayId}/comment`
  return conflictAbout(
    data,
    of,
    { fieldGroup: 'comments', local: { [at]: 'Here.' }, upstream: { [at]: comment } },
    state,
  )
}

/** Puts a conflict into the store of a house, in which the value of the PMS counts by default; its id. */
export function conflictAbout(data: string, of: About, said: Said, state = 'open'): string {
  const id = nextUuid()
  const db = new Database(`${data}/nightporter.db`)
  const row = {
    ...of,
    stayId: of.stayId ?? null,
    state,
    // What is old goes by itself.
    now: monday,
    id: bytesOf(id),
    fieldGroup: said.fieldGroup,
    counts: said.counts ?? 'Pms',
    fields: JSON.stringify(Object.keys(said.local).map((path) => path.split('/').at(-1))),
    base: JSON.stringify(Object.fromEntries(Object.keys(said.local).map((path) => [path, null]))),
    local: JSON.stringify(said.local),
    upstream: JSON.stringify(said.upstream),
    sentence: `The PMS changed the ${said.fieldGroup.replace(/s$/, '')}.`,
  }
  db.prepare(
    `INSERT INTO sync_conflict (rid, id, createdAt, updatedAt, revision, configurationId, reservationId, stayId,
       fieldGroup, fields, base, local, upstream, counts, reason, sentence, state, detectedAt)
     SELECT coalesce(max(rid), 0) + 1, @id, @now, @now, 1, @configurationId, @reservationId, @stayId, @fieldGroup, @fields,
       @base, @local, @upstream, @counts, 'both-changed', @sentence, @state, @now FROM sync_conflict`,
  ).run(row)
  db.close()
  return id
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}
