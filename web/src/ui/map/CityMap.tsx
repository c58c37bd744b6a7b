import 'leaflet/dist/leaflet.css'

import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import type { Map as LeafletMap } from 'leaflet'
import { type ReactNode, useEffect } from 'react'
import { AttributionControl, MapContainer, TileLayer, useMap, ZoomControl } from 'react-leaflet'

import { config } from '@/lib/config'
import { useSoon } from '@/lib/soon'
import { useTexts } from '@/lib/texts'

import { loadCity } from './city-data'
import { CityLayer } from './city-layer'
import type { Place } from './geo'
import classes from './map.module.css'
import { dark, light } from './palette'

interface Props {
  /** Where it opens; later changes do not move it. */
  centre: Place
  zoom: number
  /** What the map shows, for those who cannot see it. */
  label: string
  children?: ReactNode
}

/** A map: tiles of the operator's choice, else the base map of our own, which needs no internet. */
export function CityMap({ centre, zoom, label, children }: Props) {
  const t = useTexts()
  const still = useReducedMotion()
  const { tileUrl, attribution } = config().map
  const introduce = (map: LeafletMap | null) => {
    const container = map?.getContainer()
    container?.setAttribute('role', 'application')
    container?.setAttribute('aria-roledescription', t('app.mapRole'))
    container?.setAttribute('aria-label', t('app.mapHint', { map: label }))
  }
  return (
    <MapContainer
      ref={introduce}
      center={centre}
      zoom={zoom}
      minZoom={11}
      maxZoom={18}
      zoomControl={false}
      attributionControl={false}
      zoomAnimation={!still}
      fadeAnimation={false}
      className={classes.map ?? ''}
    >
      {tileUrl === null ? <OwnBaseMap /> : <TileLayer url={tileUrl} attribution={attribution ?? ''} maxZoom={19} />}
      <ZoomControl key={t('app.zoomIn')} position="bottomright" zoomInTitle={t('app.zoomIn')} zoomOutTitle={t('app.zoomOut')} />
      <AttributionControl position="bottomleft" prefix={false} />
      <Later>{children}</Later>
    </MapContainer>
  )
}

/** What lies on the map is drawn once the map is, and not in one go with it. */
function Later({ children }: { children: ReactNode }) {
  return useSoon() && children
}

function OwnBaseMap() {
  const map = useMap()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })

  useEffect(() => {
    let layer: CityLayer | undefined
    let gone = false
    const fonts = document.fonts.load("500 12px 'Figtree Variable'").catch(() => [])
    Promise.all([loadCity(), fonts])
      .then(([city]) => {
        if (gone) return
        layer = new CityLayer(city, scheme === 'dark' ? dark : light)
        layer.addTo(map)
      })
      .catch((cause: unknown) => {
        // Without its base the map still shows where everything is.
        console.warn('The base map could not be loaded.', cause)
      })
    return () => {
      gone = true
      layer?.remove()
    }
  }, [map, scheme])

  return null
}
