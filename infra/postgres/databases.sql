-- Made from `events/catalog/src/services.rs` by `cargo xtask generate`.
--
-- One role and one database a service, made when the server is first started: a role signs in, owns its
-- own database and may connect to no other. Passwords come from the environment of psql.

revoke connect on database postgres, template1, tiffin from public;

\getenv password TIFFIN_USER_DATABASE_PASSWORD
create role tiffin_user with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_user owner tiffin_user;
revoke connect, temporary on database tiffin_user from public;

\getenv password TIFFIN_RESTAURANT_DATABASE_PASSWORD
create role tiffin_restaurant with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_restaurant owner tiffin_restaurant;
revoke connect, temporary on database tiffin_restaurant from public;

\getenv password TIFFIN_ORDER_DATABASE_PASSWORD
create role tiffin_order with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_order owner tiffin_order;
revoke connect, temporary on database tiffin_order from public;

\getenv password TIFFIN_PAYMENT_DATABASE_PASSWORD
create role tiffin_payment with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_payment owner tiffin_payment;
revoke connect, temporary on database tiffin_payment from public;

\getenv password TIFFIN_DELIVERY_DATABASE_PASSWORD
create role tiffin_delivery with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_delivery owner tiffin_delivery;
revoke connect, temporary on database tiffin_delivery from public;

\getenv password TIFFIN_DRIVER_DATABASE_PASSWORD
create role tiffin_driver with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_driver owner tiffin_driver;
revoke connect, temporary on database tiffin_driver from public;

\getenv password TIFFIN_NOTIFICATION_DATABASE_PASSWORD
create role tiffin_notification with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_notification owner tiffin_notification;
revoke connect, temporary on database tiffin_notification from public;

\getenv password TIFFIN_MEDIA_DATABASE_PASSWORD
create role tiffin_media with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_media owner tiffin_media;
revoke connect, temporary on database tiffin_media from public;

\getenv password TIFFIN_OPERATOR_DATABASE_PASSWORD
create role tiffin_operator with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_operator owner tiffin_operator;
revoke connect, temporary on database tiffin_operator from public;
