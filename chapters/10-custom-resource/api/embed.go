package api

import "embed"

// CRDs are the CustomResourceDefinitions of the book's kinds, one a file: crds/*.yaml.
//
//go:embed crds/*.yaml
var CRDs embed.FS

// Role is the ClusterRole of a controller of the book's kinds, as YAML.
//
//go:embed rbac/role.yaml
var Role []byte
