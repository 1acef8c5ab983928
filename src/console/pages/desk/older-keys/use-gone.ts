import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, getOne, type Resource } from '../../lib/server/api.ts'

/** A key that was proven dead at a door while the list was shown. */
interface Gone {
  id: string
  unitName: string
  proof: string
}

interface Door {
  unitName: string | null
  proof: string | null
}

interface Listed {
  unitName: string | null
  keys: readonly { keyId: string }[]
}

const mostShown = 5

/** Returns the keys that have left the list since it was opened, each with the proof that it opens the door no more, newest first. */
export function useGone(units: readonly Resource<Listed>[] | undefined): readonly Gone[] {
  const [gone, setGone] = useState<readonly Gone[]>([])
  const before = useRef<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (!units) return
    const now = new Map(
      units.flatMap(({ attributes: { unitName, keys } }) =>
        keys.flatMap(({ keyId }) => (unitName === null ? [] : [[keyId, unitName] as const])),
      ),
    )
    const left = [...before.current].filter(([id]) => !now.has(id)).slice(0, mostShown)
    before.current = now
    void Promise.all(left.map(proven)).then((found) => {
      const ones = found.flat()
      if (ones.length > 0) setGone((earlier) => [...ones, ...earlier].slice(0, mostShown))
    })
  }, [units])
  return gone
}

/** Reads the proof of a key. A key that left the list without one, such as a live key again, gives nothing. */
async function proven([id, unitName]: readonly [string, string]): Promise<Gone[]> {
  try {
    const { data } = await getOne<{ doors: Door[] }>(`/api/v2/access/keys/${id}`)
    const proof = data.attributes.doors.find((door) => door.unitName === unitName)?.proof
    return proof ? [{ id, unitName, proof }] : []
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}
