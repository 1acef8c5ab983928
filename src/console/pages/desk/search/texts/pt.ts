import type { SearchTexts } from '../texts.ts'

export const pt: SearchTexts = {
  search: 'Procurar nome, número, quarto',
  what: 'Nome, número, quarto',
  results: 'Resultados',
  kinds: {
    code: 'Do quiosque',
    number: 'Números',
    room: 'Quartos',
    guest: 'Hóspedes',
    nearName: 'Nomes parecidos',
  },
  hint: 'Basta uma parte do nome, sem acentos. Também se encontram os quatro algarismos do quiosque.',
  none: 'Não há nenhuma estadia com este nome, número ou quarto.',
  partly: 'Uma parte da procura não respondeu.',
  walkIn: (text) => `Sem reserva: “${text}”`,
  readCard: (place) => `Ler o cartão em ${place}`,
  lay: (place) => `Coloque o cartão em ${place} …`,
  reading: 'O cartão está a ser lido …',
  blank: 'O cartão está em branco.',
  unknownCard: 'O cartão não é de nenhuma chave desta casa.',
  noStay: (room) => `O cartão não é de nenhuma estadia. É para ${room}.`,
  noRoom: 'sem quarto',
  close: 'Fechar a procura',
}
