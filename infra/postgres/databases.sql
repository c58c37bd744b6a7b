-- One database a service, made when the server is first started.
create database tiffin_user;
create database tiffin_restaurant;
create database tiffin_order;
create database tiffin_payment;
create database tiffin_delivery;
create database tiffin_driver;
create database tiffin_notification;
create database tiffin_media;
create database tiffin_operator;
