interface RoadPaint {
  fill: string
  edge: string
}

/** The colours of the base map. */
export interface Palette {
  land: string
  sea: string
  /** Shallow water along the coast, drawn in three bands. */
  shallow: string
  shore: string
  quay: string
  mole: string
  sand: string
  water: string
  waterEdge: string
  park: string
  wet: string
  rail: string
  railTie: string
  road: Record<'trunk' | 'main' | 'street', RoadPaint>
  text: string
  quietText: string
  parkText: string
  waterText: string
  halo: string
  waterHalo: string
  landmark: string
}

const light: Palette = {
  land: '#f7f1e7',
  sea: '#b5d6df',
  shallow: 'rgb(255 255 255 / 17%)',
  shore: '#94bcc8',
  quay: '#e6e0d6',
  mole: '#d8d0c4',
  sand: '#f6e5bd',
  water: '#b5d6df',
  waterEdge: '#98c1cd',
  park: '#d3e6bf',
  wet: '#d6e8d8',
  rail: '#b3a79b',
  railTie: '#f7f1e7',
  road: {
    trunk: { fill: '#ffd694', edge: '#dfa95f' },
    main: { fill: '#fff3d6', edge: '#dcc59c' },
    street: { fill: '#ffffff', edge: '#e0d6c7' },
  },
  text: '#42382f',
  quietText: '#7b6c5d',
  parkText: '#4b7a3c',
  waterText: '#457f92',
  halo: 'rgb(251 247 240 / 92%)',
  waterHalo: 'rgb(196 222 229 / 85%)',
  landmark: '#a2542a',
}

const dark: Palette = {
  land: '#262220',
  sea: '#152329',
  shallow: 'rgb(90 150 168 / 5%)',
  shore: '#2f4a53',
  quay: '#332e2b',
  mole: '#453e39',
  sand: '#3d3527',
  water: '#17282f',
  waterEdge: '#2a4650',
  park: '#26331f',
  wet: '#22302a',
  rail: '#5a5049',
  railTie: '#262220',
  road: {
    trunk: { fill: '#8a5a2c', edge: '#1a1614' },
    main: { fill: '#5c4b3a', edge: '#1d1917' },
    street: { fill: '#3f3833', edge: '#1f1b19' },
  },
  text: '#eee5dc',
  quietText: '#b0a294',
  parkText: '#90bd80',
  waterText: '#7fb0c0',
  halo: 'rgb(28 24 22 / 90%)',
  waterHalo: 'rgb(20 33 39 / 85%)',
  landmark: '#f0a06c',
}

export const palettes = { light, dark }

/** The colours of drivers drawn as a fleet: still at the restaurant, and on their way. */
export const fleetColours = {
  light: { kinds: ['#1c7ed6', '#bb4311'], edge: '#ffffff', ring: '#27221e' },
  dark: { kinds: ['#4dabf7', '#fb8747'], edge: '#171412', ring: '#f0e9e2' },
}
