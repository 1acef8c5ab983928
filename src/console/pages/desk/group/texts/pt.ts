import { plural } from '../../../lib/format.ts'
import type { GroupTexts } from '../texts.ts'

export const pt: GroupTexts = {
  title: 'Fazer o check-in em conjunto',
  why: 'Cada estadia sem quarto recebe um, como num check-in individual. Faça os cartões nas fichas dos hóspedes.',
  checkIn: (count) => plural(count, { one: 'Check-in de 1 hóspede', other: `Check-in de ${count} hóspedes` }),
  again: (count) =>
    plural(count, { one: 'Tentar 1 hóspede outra vez', other: `Tentar ${count} hóspedes outra vez` }),
  ofBooking: (count) => `Check-in das ${count} estadias desta reserva`,
  running: 'a fazer o check-in',
  done: 'na casa',
  refused: (why) => `Sem check-in: ${why}`,
  allDone: 'Todos estão na casa.',
  clear: 'Terminar a seleção',
  close: 'Fechar',
}
