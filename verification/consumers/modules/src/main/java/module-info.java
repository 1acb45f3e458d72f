/** An application on the module path. */
module dev.holdfast.consumers.modules {
    requires dev.holdfast;
}
