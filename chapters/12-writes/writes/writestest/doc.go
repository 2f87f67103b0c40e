// Package writestest is what any way to save spec and status has to pass: random changes of an object, with somebody
// else who writes in between, and with a program that ends after each request.
package writestest
