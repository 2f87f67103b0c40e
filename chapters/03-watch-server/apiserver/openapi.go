package apiserver

// kubectl create and kubectl replace check an object's fields before they send it, unless the
// server says that it does so itself. It says so with a query parameter of its PATCH operation in
// the OpenAPI document: that parameter is all that is in this one.
//
// It is half a lie. There is no schema here, so that unknown fields are neither refused nor warned
// about: they are stored.

type object = map[string]any

// documents is the list of documents, one per group version.
func (s *Server) documents() object {
	paths := object{}
	for _, r := range s.installed() {
		paths[r.root()[1:]] = object{"serverRelativeURL": "/openapi/v3" + r.root()}
	}
	return object{"paths": paths}
}

// document describes the group version that lives at root.
func (s *Server) document(root string) object {
	paths := object{}
	for _, r := range s.installed() {
		if r.root() != root {
			continue
		}
		paths[r.collection()+"/{name}"] = object{"patch": object{
			"responses":  object{"200": object{"description": "OK"}},
			"parameters": []object{{"name": "fieldValidation", "in": "query", "schema": object{"type": "string"}}},
			"x-kubernetes-group-version-kind": object{
				"group": r.Group, "version": r.Version, "kind": r.Kind},
		}}
	}
	return object{
		"openapi": "3.0.0",
		"info":    object{"title": "scratch", "version": "v1"},
		"paths":   paths,
	}
}
