import { plural } from '../../../lib/language/format.ts'
import type { GroupTexts } from '../texts.ts'

export const pt: GroupTexts = {
  title: 'Fazer o check-in em conjunto',
  why: 'Cada estadia sem quarto recebe um, como num check-in individual. Os cartões podem ser feitos depois, um hóspede após o outro.',
  checkIn: (count) => plural(count, { one: 'Check-in de 1 hóspede', other: `Check-in de ${count} hóspedes` }),
  again: (count) =>
    plural(count, { one: 'Tentar 1 hóspede outra vez', other: `Tentar ${count} hóspedes outra vez` }),
  ofBooking: (count) => `Check-in das ${count} estadias desta reserva`,
  running: 'a fazer o check-in',
  done: 'na casa',
  refused: (why) => `Sem check-in: ${why}`,
  allDone: 'Todos estão na casa.',
  cards: 'Cartões',
  cardsTitle: 'Cartões desta reserva',
  cardsOfBooking: (count) => `Fazer os cartões de ${count} hóspedes desta reserva`,
  perRoom: 'um por quarto',
  perAdult: 'um por adulto',
  makeCards: (count) =>
    plural(count, {
      one: 'Fazer os cartões de 1 hóspede',
      other: `Fazer os cartões de ${count} hóspedes`,
    }),
  makeNext: (name) => `Fazer o cartão de ${name}`,
  goOn: 'Continuar com o hóspede seguinte',
  stop: 'Parar aqui',
  cardMade: 'tem o cartão',
  cardHad: 'já tinha um cartão',
  cardLeft: 'faltam cartões',
  noCard: (why) => `Sem cartão: ${why}`,
  allCards: 'Cada hóspede tem um cartão.',
  clear: 'Terminar a seleção',
  close: 'Fechar',
}
