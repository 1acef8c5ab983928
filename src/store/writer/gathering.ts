import type { Transaction } from '../../resource/command.ts'

/** An item, and the function that writes it together with the others of its kind. */
export interface Gathered<Item = unknown> {
  write(tx: Transaction, items: readonly Item[]): void
  item: Item
}

/** Items that are written at the end of a piece of work; at once while nothing is held. */
export function gathering() {
  let held: Gathered[] | null = null
  return {
    add(tx: Transaction, each: Gathered): void {
      if (held) held.push(each)
      else each.write(tx, [each.item])
    },
    hold(): void {
      held ??= []
    },
    /** Writes the items by kind. Further items are written at once. */
    write(tx: Transaction): void {
      const kinds = Map.groupBy(held ?? [], (each) => each.write)
      held = null
      for (const [write, all] of kinds)
        write(
          tx,
          all.map(({ item }) => item),
        )
    },
    count: () => held?.length ?? 0,
    /** Forgets the items after the first `count`: their part of the command was taken back. */
    cut(count: number): void {
      if (held) held.length = count
    },
    /** Forgets all items: the command was taken back. */
    forget(): void {
      held = null
    },
  }
}
