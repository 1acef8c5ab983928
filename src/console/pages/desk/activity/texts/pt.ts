import type { ActivityTexts } from '../texts.ts'

export const pt: ActivityTexts = {
  title: 'Atividade',
  time: 'Hora',
  who: 'Quem',
  what: 'O que aconteceu',
  about: 'Hóspede, quarto',
  person: 'Pessoa',
  everybody: 'Todos',
  allRooms: 'Todos os quartos',
  day: 'Dia',
  newer: 'Mais recente',
  older: 'Mais antigo',
  none: 'Nada aqui.',
  roomStatus: 'Estado do quarto',
  blocked: (dates) => `Bloqueado: ${dates}`,
  unblocked: (dates) => `Bloqueio terminado: ${dates}`,
  box: 'A caixa',
  bounded: 'De um quarto procuram-se as estadias mais recentes, com chaves e pagamentos.',
}
