/** A key that a simulated key system has made. Dates and times are as received: YYMMDD and HH:MM. */
interface BookedKey {
  uid: string
  encoder: string
  rooms: string[]
  reservation: string
  kind: 'N' | 'D' | 'O'
  from: string | null
  until: string | null
  untilTime: string | null
  options: string | null
}

type Fields = Readonly<Record<string, string>>
type Answer = Record<string, string>

/** The database of a key system: which card opens which room now. */
export type KeyBook = ReturnType<typeof bookOf>

/** An empty book. `uid` returns the serial number of the next card on the encoder. */
export function bookOf(rooms: readonly string[] | null, uid: () => string) {
  let keys: BookedKey[] = []
  const isRoom = (room: string | undefined) => room !== undefined && (rooms === null || rooms.includes(room))
  const refused = (text: string): Answer => ({ AS: 'UR', CT: text })

  const deeds: Partial<Record<string, (fields: Fields) => Answer>> = {
    KR(fields) {
      const { RN, SI = '', KC = '', KT, 'G#': reservation = '' } = fields
      const opened = [RN ?? '', ...SI.split(';')].filter((room) => room !== '')
      if (!RN || !opened.every(isRoom)) return refused('No such room')
      if (KT !== 'N' && KT !== 'D' && KT !== 'O') return refused('No such key type')
      const card = uid()
      // A card holds one key, and a new key invalidates those of its main room.
      keys = keys.filter((key) => key.uid !== card && !(KT === 'N' && key.rooms[0] === RN))
      keys.push({
        uid: card,
        encoder: KC,
        rooms: opened,
        reservation,
        kind: KT,
        from: fields.GA ?? null,
        until: fields.GD ?? null,
        untilTime: fields.DT ?? null,
        options: fields.KO ?? null,
      })
      return { AS: 'OK', CT: 'OK', $2: card }
    },
    KD({ RN, 'G#': reservation }) {
      const before = keys.length
      keys = keys.filter((key) => !(key.rooms[0] === RN && (!reservation || key.reservation === reservation)))
      return keys.length < before ? { AS: 'OK' } : { AS: 'NG', CT: 'No such guest' }
    },
    KM({ RN, RO, 'G#': reservation, GA, GD, DT }) {
      const meant = keys.filter((key) => key.reservation === reservation && key.rooms[0] === (RO ?? RN))
      if (meant.length === 0) return { AS: 'NG', CT: 'No such guest' }
      if (!RN || !isRoom(RN)) return refused('No such room')
      for (const key of meant) {
        key.rooms = [RN, ...key.rooms.slice(1)]
        key.from = GA ?? key.from
        key.until = GD ?? key.until
        key.untilTime = DT ?? key.untilTime
      }
      return { AS: 'OK' }
    },
    KZ({ KC }) {
      const key = keys.findLast(({ encoder }) => encoder === KC)
      if (!key) return { AS: 'UR', CT: 'No card' }
      const [room = '', ...more] = key.rooms
      const { reservation, until, untilTime } = key
      const window = { ...(until && { GD: until }), ...(untilTime && { DT: untilTime }) }
      return { AS: 'OK', RN: room, SI: more.join(';'), 'G#': reservation, ...window }
    },
  }

  return {
    opens: (room: string): readonly BookedKey[] => keys.filter((key) => key.rooms.includes(room)),
    /** Executes a request; returns the fields of its answer. */
    carryOut: (id: string, fields: Fields): Answer => deeds[id]?.(fields) ?? refused('Not understood'),
  }
}
