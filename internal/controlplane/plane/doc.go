// Package plane is what a control plane looks like from outside: what its files say, how its supervisor is asked, and
// what is believed of either.
//
// Reading order: component.go, plane.go and wire.go, then rundir.go for where it lies. trust.go, believe.go, control.go
// and parents.go say what is believed of a control plane that is already there.
package plane
