package apiserver

import (
	"fmt"
	"io"
	"mime"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
)

// maxBody is the size of a request's body that is read: about what etcd takes for one object.
const maxBody = 3 << 20

// readBody reads all of it.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return nil, apierrors.NewRequestEntityTooLargeError(err.Error())
	}
	return body, nil
}

// decode reads an object from a body. Clients of types that Kubernetes itself defines write
// protobuf, kubectl create configmap and client-go's clientset among them; everybody else writes
// JSON. Answers are JSON in any case, which every client accepts.
func (s *Server) decode(r *http.Request) (map[string]any, error) {
	body, err := readBody(r)
	if err != nil || len(body) == 0 {
		return map[string]any{}, err
	}
	var content map[string]any
	switch media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media {
	case "", "application/json":
		err = json.Unmarshal(body, &content)
	case runtime.ContentTypeProtobuf:
		var typed runtime.Object
		if typed, _, err = s.codecs.UniversalDeserializer().Decode(body, nil, nil); err == nil {
			content, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
		}
	default:
		return nil, unsupported(fmt.Sprintf("the body is %s; this server reads application/json", media))
	}
	if err != nil || content == nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the body is not an object that this server can read: %v", err))
	}
	return content, nil
}

// readObject decodes the body and makes it agree with the URL.
func (s *Server) readObject(resource Resource, r *http.Request) (*unstructured.Unstructured, error) {
	content, err := s.decode(r)
	if err != nil {
		return nil, err
	}
	return conform(resource, r, &unstructured.Unstructured{Object: content})
}

// conform checks that an object is of the kind and in the namespace that the URL says.
func conform(resource Resource, r *http.Request, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	want := resource.groupVersion().WithKind(resource.Kind)
	if got := u.GroupVersionKind(); (u.GetKind() != "" || u.GetAPIVersion() != "") && got != want {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the object is %v, and this is the path of %v", got, want))
	}
	if _, ok := u.Object["metadata"].(map[string]any); !ok {
		u.Object["metadata"] = map[string]any{}
	}
	u.SetGroupVersionKind(want)
	namespace := r.PathValue("namespace")
	if got := u.GetNamespace(); got != "" && got != namespace {
		return nil, apierrors.NewBadRequest(
			"the namespace of the provided object does not match the namespace sent on the request")
	}
	u.SetNamespace(namespace)
	return u, nil
}

// readDeleteOptions decodes the body of a DELETE, which may have none.
func (s *Server) readDeleteOptions(r *http.Request) (options metav1.DeleteOptions, err error) {
	content, err := s.decode(r)
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(content, &options)
	}
	return options, err
}
