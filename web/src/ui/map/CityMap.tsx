import 'leaflet/dist/leaflet.css'

import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { createLeafletContext, LeafletContext } from '@react-leaflet/core'
import { Map as LeafletMap } from 'leaflet'
import { type ReactNode, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react'
import { AttributionControl, TileLayer, useMap, ZoomControl } from 'react-leaflet'

import { config } from '@/lib/config'
import type { Coordinates } from '@/lib/geolocation'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useTexts } from '@/lib/texts'

import { CityLayer } from './city-layer'
import { openPainter } from './city-painter'
import classes from './map.module.css'

interface Props {
  /** The first place of the map; later changes do not move it. */
  centre: Coordinates
  zoom: number
  /** The content of the map, for those who can't see it. */
  label: string
  children?: ReactNode
}

/** A map: tiles of the operator's choice, else the base map of our own, which needs no internet. */
export function CityMap({ centre, zoom, label, children }: Props) {
  const t = useTexts()
  const reducedMotion = useReducedMotion()
  const { tileUrl, attribution } = config().map
  const container = useRef<HTMLDivElement>(null)
  const [context, setContext] = useState<ReturnType<typeof createLeafletContext> | null>(null)

  const open = useEffectEvent((element: HTMLElement) =>
    new LeafletMap(element, {
      minZoom: 11,
      maxZoom: 18,
      zoomControl: false,
      attributionControl: false,
      zoomAnimation: !reducedMotion,
      fadeAnimation: false,
    }).setView(centre, zoom),
  )

  useEffect(() => {
    if (container.current === null) return
    const map = open(container.current)
    startTransition(() => {
      setContext(createLeafletContext(map))
    })
    return () => {
      map.remove()
    }
  }, [])

  return (
    <div
      ref={container}
      role="application"
      aria-roledescription={t('app.mapRole')}
      aria-label={t('app.mapHint', { map: label })}
      className={classes.map}
    >
      {context !== null && (
        <LeafletContext value={context}>
          <RenderInTurn>
            <RenderInTurn>{children}</RenderInTurn>
            <ZoomControl key={t('app.zoomIn')} position="bottomright" zoomInTitle={t('app.zoomIn')} zoomOutTitle={t('app.zoomOut')} />
            <AttributionControl position="bottomleft" prefix={false} />
            {tileUrl === null ? <BaseMap /> : <TileLayer url={tileUrl} attribution={attribution ?? ''} maxZoom={19} />}
          </RenderInTurn>
        </LeafletContext>
      )}
    </div>
  )
}

/** Renders its children one after the other: in between the browser can answer a touch. */
function RenderInTurn({ children }: { children: ReactNode }) {
  const [first, ...others]: ReactNode[] = Array.isArray(children) ? children : [children]
  const showRest = useAfterFirstRender()
  return (
    <>
      {first}
      {showRest && others.length > 0 && <RenderInTurn>{others}</RenderInTurn>}
    </>
  )
}

function BaseMap() {
  const map = useMap()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })

  useEffect(() => {
    let layer: CityLayer | undefined
    let isUnmounted = false
    openPainter()
      .then((painter) => {
        if (isUnmounted) return
        layer = new CityLayer(painter, scheme)
        layer.addTo(map)
      })
      .catch((cause: unknown) => {
        // Without its base the map still shows where everything is.
        console.warn('The base map could not be loaded.', cause)
      })
    return () => {
      isUnmounted = true
      layer?.remove()
    }
  }, [map, scheme])

  return null
}
