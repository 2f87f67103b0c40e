// Package scheme knows which Go type is which kind: the one table between the JSON of an API server, which names its
// kind as text, and a program, which has types.
//
// [Scheme] implements [runtime.ObjectTyper], [runtime.ObjectCreater] and [runtime.ObjectDefaulter]. Upstream's
// counterpart is runtime.Scheme, in k8s.io/apimachinery/pkg/runtime/scheme.go.
//
// Reading order: the table (scheme.go), what is asked of it (lookup.go), the kinds that are the same in every group
// version (meta.go), and the values that a field has when nobody wrote one (defaults.go).
//
// Left out is what the API server needs and a client does not. The API server keeps every kind in one internal version
// too and converts each request to it and back: conversion functions, versions' priorities, and the labels of fields,
// which it converts beside them. A client meets a kind in the version that it asked for, and the server has converted
// it. Validation functions are left out because the server's verdict is the one that counts.
package scheme
