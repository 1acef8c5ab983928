import { plural } from '../../../lib/language/format.ts'
import type { RoomTexts } from '../texts.ts'

export const pt: RoomTexts = {
  title: 'Quartos',
  none: 'Ainda não há quartos. Crie-os na configuração.',
  howTo:
    'Escolha quartos e depois o seu novo estado. Fora de serviço: não é dado a hóspedes. Avariado: também não é vendido.',
  noneOfThese: 'Nenhum quarto está assim.',
  all: 'Todos',
  allFloors: 'Todos os andares',
  floor: (name) => `Andar ${name}`,
  byStatus: 'Por estado',
  byFloor: 'Por andar',
  arrivesToday: 'Chegada hoje',
  leavesToday: 'Partida hoje',
  occupied: 'Hóspede presente',
  setStatus: 'Novo estado',
  chosen: (count) => plural(count, { one: '1 quarto escolhido', other: `${count} quartos escolhidos` }),
  chooseNone: 'Não escolher nenhum',
  next: 'Quarto seguinte',
  previous: 'Quarto anterior',
  open: 'Escolher o quarto',
  changed: (names) => `Alterado: ${names}.`,
  undo: 'Desfazer',
  block: 'Bloquear por dias',
  blockTitle: (rooms) => `Bloquear por dias: ${rooms}`,
  blockWhy: 'Nesses dias o quarto não se vende nem se atribui. O último dia conta.',
  firstDay: 'Primeiro dia',
  lastDay: 'Último dia',
  badDays: 'O último dia é anterior ao primeiro.',
  reason: 'Motivo',
  expectedUntil: 'Previsto até',
  untilWhy: 'O último dia. Vazio: não se sabe. O quarto continua avariado até o estado ser mudado.',
  pastDay: 'Esse dia já passou.',
  blockedFrom: (from, until) => `bloqueado ${from} – ${until}`,
  unblock: 'Desbloquear',
  makeStaffCard: 'Cartão para o pessoal',
  staffCard: (room) => `Cartão para o pessoal: quarto ${room}`,
  staffCardWhy:
    'Este cartão abre o quarto uma vez, para uma reparação ou inspeção. Não pertence a nenhum hóspede e não anula nenhum outro cartão.',
  staffCardOccupied:
    'Há um hóspede neste quarto. Enquanto um cartão dele o abrir, a caixa não faz cartão para o pessoal: vá com o hóspede.',
  howLong: 'O cartão serve durante',
  minutes: (minutes) => {
    const count = minutes < 60 ? minutes : minutes / 60
    return minutes < 60 ? `${count} minutos` : plural(count, { one: '1 hora', other: `${count} horas` })
  },
  staff: 'Pessoal',
  noEncoder: 'Não há codificador nem dispensador de cartões.',
}
