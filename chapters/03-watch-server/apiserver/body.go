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
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
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
// JSON.
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
	return s.conform(resource, r, &unstructured.Unstructured{Object: content})
}

// conform checks that an object is of the kind and in the namespace that the URL says, and that it has the Go type of
// its kind, where there is one.
func (s *Server) conform(resource Resource, r *http.Request,
	u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
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
	return u, s.fit(resource, r, u)
}

// fit refuses what the Go type of the kind does not hold, as a number in a ConfigMap's data. Nobody could have it in
// protobuf, and an informer would list for ever.
func (s *Server) fit(resource Resource, r *http.Request, u *unstructured.Unstructured) error {
	if resource.AddToScheme == nil {
		return nil
	}
	encoded, err := json.Marshal(u.Object)
	if err == nil {
		_, _, err = s.codecs.UniversalDeserializer().Decode(encoded, nil, nil)
	}
	switch {
	case err == nil:
		return nil
	case r.Method == http.MethodPatch:
		return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(encoded), err.Error())})
	default:
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
			resource.Kind, resource.Version, resource.Kind, err))
	}
}

// readDeleteOptions decodes the body of a DELETE, which may have none.
func (s *Server) readDeleteOptions(r *http.Request) (options metav1.DeleteOptions, err error) {
	content, err := s.decode(r)
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(content, &options)
	}
	if err == nil {
		err = refuseDryRun(options.DryRun)
	}
	return options, err
}

// refuseDryRun turns away who only asks what would happen: here it would happen.
func refuseDryRun(asked []string) error {
	if len(asked) == 0 {
		return nil
	}
	return apierrors.NewBadRequest("this server has no dry run (kubectl --dry-run=server); " +
		"ask without it, and what you ask for is done")
}
