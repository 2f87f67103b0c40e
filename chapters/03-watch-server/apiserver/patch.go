package apiserver

import (
	"fmt"
	"mime"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
)

const mergePatch = "application/merge-patch+json"

// patch changes a part of an object: what kubectl label and kubectl annotate send. There is one
// kind of patch here, the JSON merge patch of RFC 7386.
func (s *Server) patch(resource Resource, w http.ResponseWriter, r *http.Request) error {
	if err := refuseApply(r); err != nil {
		return err
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != mergePatch {
		return unsupported(fmt.Sprintf("a patch of type %s is not known here; send %s (kubectl patch --type=merge), "+
			"or the whole object (kubectl replace)", media, mergePatch))
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	var change map[string]any
	if err := json.Unmarshal(body, &change); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the patch is not a JSON object: %v", err))
	}
	o, err := s.guaranteedUpdate(resource, r,
		func(current *unstructured.Unstructured) (*unstructured.Unstructured, error) {
			return s.conform(resource, r, &unstructured.Unstructured{Object: merge(current.DeepCopy().Object, change)})
		})
	if err != nil {
		return err
	}
	writeObject(w, http.StatusOK, o)
	return nil
}

// merge applies a JSON merge patch: null removes, an object is merged into an object, and anything
// else, a list too, replaces what was there. target is changed, patch is not.
func merge(target, patch map[string]any) map[string]any {
	if target == nil {
		target = map[string]any{}
	}
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(target, k)
		case map[string]any:
			inner, _ := target[k].(map[string]any)
			target[k] = merge(inner, v)
		default:
			target[k] = v
		}
	}
	return target
}

// refuseApply turns both kinds of kubectl apply away, on the first object already. The first apply
// of an object is a plain POST that would work, but the second is a strategic merge patch: it needs
// the merge keys of every list in the kind's schema, and there is no schema here. Server-side apply
// needs the schema too, and an owner for each field.
func refuseApply(r *http.Request) error {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media == "application/apply-patch+yaml" || media == "application/apply-patch+cbor" ||
		r.URL.Query().Get("fieldManager") == "kubectl-client-side-apply" {
		return unsupported("this server has no kubectl apply; use kubectl create for a new object, " +
			"kubectl replace for the whole of an old one, kubectl label, annotate or patch --type=merge for a part")
	}
	return nil
}

// unsupported is a 415.
func unsupported(why string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType, Message: why,
	}}
}
