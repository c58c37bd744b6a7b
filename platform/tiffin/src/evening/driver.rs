//! A driver with a vehicle and a phone that sends positions.

use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use serde_json::Value;
use tiffin_events::{
    Clock, Coordinates,
    live::{ClientFrame, DevicePosition},
};
use tokio::{net::TcpStream, task::AbortHandle, time::Instant};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use super::{
    city::Person,
    client::{Account, Client},
    pace::Pace,
    way::{Leg, Spot, Way},
};

/// Metres between two positions. A map takes them for jumps if they are much further apart.
const STEP: f64 = 75.0;
/// Bounds of the time between two positions. A bridge takes one a second of each delivery, and ten minutes' at once.
const MIN_INTERVAL: f64 = 0.2;
const MAX_INTERVAL: f64 = 4.0;
/// The radius in metres of the 95 % circle of a good phone.
const ACCURACY: f64 = 8.0;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

#[derive(Debug)]
pub struct Driver {
    pub account: std::sync::Arc<Account>,
    place: Coordinates,
    phone: Option<Phone>,
    clock: Clock,
}

/// A phone's socket. What comes on it is read by a task, which ends with it.
#[derive(Debug)]
struct Phone {
    send: SplitSink<Socket, Message>,
    reader: AbortHandle,
}

impl Driver {
    pub fn new(person: &Person, account: std::sync::Arc<Account>) -> Self {
        Self {
            account,
            place: person.place,
            phone: None,
            clock: Clock::system(),
        }
    }

    pub const fn place(&self) -> Coordinates {
        self.place
    }

    /// Rides along a route, sending positions, `slowness` times as long as the router says. Without a route it goes
    /// straight to `to`.
    pub async fn ride(
        &mut self,
        client: &Client,
        pace: Pace,
        leg: Option<Leg>,
        to: Coordinates,
        slowness: f64,
    ) {
        let leg = leg
            .filter(|leg| leg.points.len() > 1)
            .unwrap_or_else(|| Leg {
                points: vec![self.place, to],
                seconds: self.place.metres_to(to) / 6.0,
            });
        let way = Way::new(&leg.points);
        let seconds = (leg.seconds * slowness / pace.speed()).max(0.1);
        let speed = way.metres() / seconds;
        let interval = (STEP / speed.max(0.1)).clamp(MIN_INTERVAL, MAX_INTERVAL);
        let began = Instant::now();
        loop {
            let part = (began.elapsed().as_secs_f64() / seconds).min(1.0);
            if let Some(spot) = way.at(way.metres() * part) {
                self.place = spot.place;
                self.send(client, spot, if part < 1.0 { speed } else { 0.0 })
                    .await;
            }
            if part >= 1.0 {
                return;
            }
            tokio::time::sleep(Duration::from_secs_f64(interval.min(seconds))).await;
        }
    }

    /// Sends the place where the driver waits.
    pub async fn stand(&mut self, client: &Client) {
        let spot = Spot {
            place: self.place,
            heading: 0.0,
        };
        self.send(client, spot, 0.0).await;
    }

    /// Sends a position of all the driver's deliveries. One that can't be sent is lost.
    async fn send(&mut self, client: &Client, spot: Spot, speed: f64) {
        let position = DevicePosition {
            delivery_id: None,
            lat: spot.place.lat,
            lng: spot.place.lng,
            accuracy: Some(ACCURACY),
            heading: (speed > 0.0).then_some(spot.heading),
            speed: Some(speed.min(1_000.0)),
            at: self.clock.now(),
        };
        match self
            .try_send(client, &ClientFrame::Position(position))
            .await
        {
            Ok(()) => client.tally.count_position(),
            Err(error) => {
                self.phone = None;
                client
                    .tally
                    .refused(format!("a driver's socket: {error:#}"));
            }
        }
    }

    async fn try_send(&mut self, client: &Client, frame: &ClientFrame) -> Result<()> {
        if self
            .phone
            .as_ref()
            .is_none_or(|phone| phone.reader.is_finished())
        {
            self.phone = Some(Phone::connect(client, &self.account).await?);
        }
        let phone = self.phone.as_mut().context("there is no socket")?;
        phone.send(frame).await
    }
}

impl Phone {
    async fn connect(client: &Client, account: &Account) -> Result<Self> {
        let token = client.token(account).await?;
        let (socket, _) = connect_async(client.live_url()).await?;
        let (mut send, mut receive) = socket.split();
        let auth = serde_json::to_string(&ClientFrame::Auth { token })?;
        send.send(Message::text(auth)).await?;
        // The bridge takes positions once it has said that it is ready.
        receive
            .next()
            .await
            .context("the bridge closed the socket")??;
        let tally = std::sync::Arc::clone(&client.tally);
        let reader = tokio::spawn(async move {
            while let Some(Ok(message)) = receive.next().await {
                let frame: Value = message
                    .to_text()
                    .ok()
                    .and_then(|text| serde_json::from_str(text).ok())
                    .unwrap_or_default();
                if let Some(code) = frame["code"].as_str() {
                    tally.refused(format!("a driver's position: {code}"));
                }
            }
        });
        Ok(Self {
            send,
            reader: reader.abort_handle(),
        })
    }

    async fn send(&mut self, frame: &ClientFrame) -> Result<()> {
        let text = serde_json::to_string(frame)?;
        Ok(self.send.send(Message::text(text)).await?)
    }
}

impl Drop for Phone {
    fn drop(&mut self) {
        self.reader.abort();
    }
}
