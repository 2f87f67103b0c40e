//go:build !race

package apiserver

const raced = false
