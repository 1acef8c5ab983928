import { completed } from './attributes.ts'
import { type Command, command, type Document } from './command.ts'
import type { Resources } from './path.ts'
import { inItem } from './problem.ts'
import type { Resource } from './resource.ts'

type Attributes = Record<string, unknown>

interface One {
  type: string
  id: string
  /** The revision that the caller has seen; another current revision is refused. */
  revision?: number | undefined
}

export interface Written {
  id: string
  revision: number
}

/** Returns the commands behind create, batch create, replace, patch and remove of any resource. */
export function plainCommands(resources: Resources) {
  const of = (type: string): Resource => resources.get(type)!

  const create = command(
    'create',
    (tx, { type, attributes }: { type: string; attributes: Attributes }): Document => {
      const { id } = tx.insert(of(type), attributes)
      return tx.document(of(type), id)
    },
  )

  const createMany = command(
    'create-many',
    (tx, { type, items }: { type: string; items: Attributes[] }): Document[] => {
      const ids = items.map((attributes, index) => {
        try {
          return tx.insert(of(type), attributes).id
        } catch (error) {
          throw inItem(index, error)
        }
      })
      return ids.map((id) => tx.document(of(type), id))
    },
  )

  const replace = command('replace', (tx, input: One & { attributes: Attributes }): Written => {
    const resource = of(input.type)
    tx.expectRevision(resource, input)
    return written(tx.patch(resource, input.id, completed(resource.fields, input.attributes)))
  })

  const patch = command('patch', (tx, input: One & { attributes: Attributes }): Written => {
    const resource = of(input.type)
    tx.expectRevision(resource, input)
    return written(tx.patch(resource, input.id, input.attributes))
  })

  const remove = command('remove', (tx, input: One): null => {
    tx.expectRevision(of(input.type), input)
    tx.remove(of(input.type), input.id)
    return null
  })

  return { create, createMany, replace, patch, remove } satisfies Record<string, Command<never, unknown>>
}

export type PlainCommands = ReturnType<typeof plainCommands>

function written({ id, revision }: Written): Written {
  return { id, revision }
}
