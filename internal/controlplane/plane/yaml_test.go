package plane

import "sigs.k8s.io/yaml"

// Package withyaml, which does this for programs, imports this package.
func init() {
	ReadYAML = func(data []byte) (file map[string]any, err error) {
		return file, yaml.UnmarshalStrict(data, &file)
	}
}
